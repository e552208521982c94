import { rich } from '@stagedoor/browser/rich-text';
import { exactTimeOf } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { type ActionTexts, teammate, textOf } from './action-texts.ts';

/** The sentences for actions on conversations, notes and scheduled messages. */
export const ACTIONS_ON_CONVERSATIONS: ActionTexts = {
  'conversation.release_for_other': {
    label: t('Claim released for a teammate'),
    sentence: (actor, values) =>
      rich(
        '{actor} released the conversation with {fan}, which {holder} had claimed',
        actor,
        values,
      ),
  },
  'conversation.snooze': {
    label: t('Conversation snoozed'),
    sentence: (actor, values, entry) => {
      const until = textOf(entry.details.until);
      return until === ''
        ? rich('{actor} snoozed the conversation with {fan} until they write', actor, values)
        : rich('{actor} snoozed the conversation with {fan} until {time}', actor, {
            ...values,
            time: exactTimeOf(until),
          });
    },
  },
  'conversation.unsnooze': {
    label: t('Snooze ended'),
    sentence: (actor, values) =>
      rich('{actor} ended the snooze for the conversation with {fan}', actor, values),
  },
  'statement.pin': {
    label: t('Statement saved'),
    sentence: (actor, values) => rich('{actor} saved a statement to {fan}', actor, values),
  },
  'statement.change': {
    label: t('Statement changed'),
    sentence: (actor, values) => rich('{actor} edited a statement to {fan}', actor, values),
  },
  'statement.remove': {
    label: t('Statement removed'),
    sentence: (actor, values) => rich('{actor} removed a statement to {fan}', actor, values),
  },
  'promise.make': {
    label: t('Promise added'),
    sentence: (actor, values) => rich('{actor} added a promise to {fan}', actor, values),
  },
  'promise.change': {
    label: t('Promise changed'),
    sentence: (actor, values) => rich('{actor} changed a promise to {fan}', actor, values),
  },
  'promise.keep': {
    label: t('Promise done'),
    sentence: (actor, values) => rich('{actor} marked a promise to {fan} as done', actor, values),
  },
  'promise.reopen': {
    label: t('Promise reopened'),
    sentence: (actor, values) =>
      rich('{actor} marked a promise to {fan} as not done', actor, values),
  },
  'promise.remove': {
    label: t('Promise removed'),
    sentence: (actor, values) => rich('{actor} removed a promise to {fan}', actor, values),
  },
  'conversation.hand_over': {
    label: t('Conversation handed over'),
    sentence: (actor, values, entry, nameOf) => {
      const { to } = entry.details;
      return to === null
        ? rich('{actor} released the conversation with {fan} at the end of a shift', actor, values)
        : rich('{actor} handed the conversation with {fan} over to {teammate}', actor, {
            ...values,
            teammate: teammate(to, nameOf),
          });
    },
  },
  'conversation.edit_staff_note': {
    label: t('Staff note changed'),
    sentence: (actor, values) =>
      rich('{actor} edited one of their staff notes in the conversation with {fan}', actor, values),
  },
  'conversation.delete_staff_note': {
    label: t('Staff note deleted'),
    sentence: (actor, values) =>
      rich(
        '{actor} deleted a staff note by {author} in the conversation with {fan}',
        actor,
        values,
      ),
  },
  'conversation.take_over': {
    label: t('Claim taken over'),
    sentence: (actor, values) =>
      rich(
        '{actor} took over the conversation with {fan}, which {holder} had claimed',
        actor,
        values,
      ),
  },
  'conversation.assign': {
    label: t('Conversation assigned'),
    sentence: (actor, values, entry, nameOf) =>
      rich('{actor} assigned the conversation with {fan} to {teammate}', actor, {
        ...values,
        teammate: teammate(entry.details.to_id, nameOf),
      }),
  },
  'conversation.unassign': {
    label: t('Assignment undone'),
    sentence: (actor, values) =>
      rich('{actor} undid assigning the conversation with {fan} to {teammate}', actor, {
        ...values,
        teammate: values.holder,
      }),
  },
  'conversation.unsend': {
    label: t('Message unsent'),
    sentence: (actor, values, entry) =>
      entry.details.author_id === undefined
        ? rich('{actor} unsent a message to {fan}', actor, values)
        : rich('{actor} unsent {author}’s message to {fan}', actor, values),
  },
  'conversation.release_expired': {
    label: t('Claim released after inactivity'),
    sentence: (actor, values) =>
      rich(
        '{actor} released the conversation with {fan} because {holder} hadn’t written anything for too long',
        actor,
        values,
      ),
  },
  'scheduled.cancel_for_other': {
    label: t('Scheduled message canceled for a teammate'),
    sentence: (actor, values, { details }, nameOf) =>
      rich('{actor} canceled a message scheduled by {author}', actor, {
        ...values,
        author: teammate(details.scheduled_by, nameOf),
      }),
  },
};
