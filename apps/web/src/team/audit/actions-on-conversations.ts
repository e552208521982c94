import { exactTimeOf } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { type ActionTexts, teammate, teammateIn, textOf } from './action-texts.ts';
import { phrase, when } from './phrase.ts';

/** The sentences for actions on conversations, notes and scheduled messages. */
export const ACTIONS_ON_CONVERSATIONS: ActionTexts = {
  'conversation.release_for_other': [
    t('Claim released for a teammate'),
    phrase('{actor} released the conversation with {fan}, which {holder} had claimed'),
  ],
  'conversation.snooze': [
    t('Conversation snoozed'),
    when(
      ({ details }) => textOf(details.until) === '',
      phrase('{actor} snoozed the conversation with {fan} until they write'),
      phrase('{actor} snoozed the conversation with {fan} until {time}', ({ details }) => ({
        time: exactTimeOf(textOf(details.until)),
      })),
    ),
  ],
  'conversation.unsnooze': [
    t('Snooze ended'),
    phrase('{actor} ended the snooze for the conversation with {fan}'),
  ],
  'statement.pin': [t('Statement saved'), phrase('{actor} saved a statement to {fan}')],
  'statement.change': [t('Statement changed'), phrase('{actor} edited a statement to {fan}')],
  'statement.remove': [t('Statement removed'), phrase('{actor} removed a statement to {fan}')],
  'promise.make': [t('Promise added'), phrase('{actor} added a promise to {fan}')],
  'promise.change': [t('Promise changed'), phrase('{actor} changed a promise to {fan}')],
  'promise.keep': [t('Promise done'), phrase('{actor} marked a promise to {fan} as done')],
  'promise.reopen': [
    t('Promise reopened'),
    phrase('{actor} marked a promise to {fan} as not done'),
  ],
  'promise.remove': [t('Promise removed'), phrase('{actor} removed a promise to {fan}')],
  'conversation.hand_over': [
    t('Conversation handed over'),
    when(
      ({ details }) => details.to === null,
      phrase('{actor} released the conversation with {fan} at the end of a shift'),
      phrase('{actor} handed the conversation with {fan} over to {teammate}', teammateIn('to')),
    ),
  ],
  'conversation.edit_staff_note': [
    t('Staff note changed'),
    phrase('{actor} edited one of their staff notes in the conversation with {fan}'),
  ],
  'conversation.delete_staff_note': [
    t('Staff note deleted'),
    phrase('{actor} deleted a staff note by {author} in the conversation with {fan}'),
  ],
  'conversation.take_over': [
    t('Claim taken over'),
    phrase('{actor} took over the conversation with {fan}, which {holder} had claimed'),
  ],
  'conversation.assign': [
    t('Conversation assigned'),
    phrase('{actor} assigned the conversation with {fan} to {teammate}', teammateIn('to_id')),
  ],
  'conversation.unassign': [
    t('Assignment undone'),
    phrase(
      '{actor} undid assigning the conversation with {fan} to {teammate}',
      teammateIn('claimed_by'),
    ),
  ],
  'conversation.unsend': [
    t('Message unsent'),
    when(
      ({ details }) => details.author_id === undefined,
      phrase('{actor} unsent a message to {fan}'),
      phrase('{actor} unsent {author}’s message to {fan}'),
    ),
  ],
  'conversation.release_expired': [
    t('Claim released after inactivity'),
    phrase(
      '{actor} released the conversation with {fan} because {holder} hadn’t written anything for too long',
    ),
  ],
  'scheduled.cancel_for_other': [
    t('Scheduled message canceled for a teammate'),
    phrase('{actor} canceled a message scheduled by {author}', ({ details }, nameOf) => ({
      author: teammate(details.scheduled_by, nameOf),
    })),
  ],
};
