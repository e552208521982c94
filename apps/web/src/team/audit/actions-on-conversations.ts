import { exactTimeOf } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { type ActionTexts, fanOf, teammate, textOf } from './action-texts.ts';

/** The sentences for actions on conversations, notes and scheduled messages. */
export const ACTIONS_ON_CONVERSATIONS: ActionTexts = {
  'conversation.release_for_other': {
    label: t('Claim released for a teammate'),
    sentence: (entry, nameOf) =>
      t('released the conversation with {fan}, which {holder} had claimed', {
        fan: fanOf(entry),
        holder: teammate(entry.details.claimed_by, nameOf),
      }),
  },
  'conversation.snooze': {
    label: t('Conversation snoozed'),
    sentence: (entry) => {
      const until = textOf(entry.details.until);
      const fan = fanOf(entry);
      return until === ''
        ? t('snoozed the conversation with {fan} until they write', { fan })
        : t('snoozed the conversation with {fan} until {time}', { fan, time: exactTimeOf(until) });
    },
  },
  'conversation.unsnooze': {
    label: t('Snooze ended'),
    sentence: (entry) =>
      t('ended the snooze for the conversation with {fan}', { fan: fanOf(entry) }),
  },
  'statement.pin': {
    label: t('Statement saved'),
    sentence: (entry) => t('saved a statement to {fan}', { fan: fanOf(entry) }),
  },
  'statement.change': {
    label: t('Statement changed'),
    sentence: (entry) => t('edited a statement to {fan}', { fan: fanOf(entry) }),
  },
  'statement.remove': {
    label: t('Statement removed'),
    sentence: (entry) => t('removed a statement to {fan}', { fan: fanOf(entry) }),
  },
  'promise.make': {
    label: t('Promise added'),
    sentence: (entry) => t('added a promise to {fan}', { fan: fanOf(entry) }),
  },
  'promise.change': {
    label: t('Promise changed'),
    sentence: (entry) => t('changed a promise to {fan}', { fan: fanOf(entry) }),
  },
  'promise.keep': {
    label: t('Promise done'),
    sentence: (entry) => t('marked a promise to {fan} as done', { fan: fanOf(entry) }),
  },
  'promise.reopen': {
    label: t('Promise reopened'),
    sentence: (entry) => t('marked a promise to {fan} as not done', { fan: fanOf(entry) }),
  },
  'promise.remove': {
    label: t('Promise removed'),
    sentence: (entry) => t('removed a promise to {fan}', { fan: fanOf(entry) }),
  },
  'conversation.hand_over': {
    label: t('Conversation handed over'),
    sentence: (entry, nameOf) => {
      const { to } = entry.details;
      const fan = fanOf(entry);
      return to === null
        ? t('released the conversation with {fan} at the end of a shift', { fan })
        : t('handed the conversation with {fan} over to {colleague}', {
            fan,
            colleague: teammate(to, nameOf),
          });
    },
  },
  'conversation.edit_staff_note': {
    label: t('Staff note changed'),
    sentence: (entry) =>
      t('edited one of their staff notes in the conversation with {fan}', { fan: fanOf(entry) }),
  },
  'conversation.delete_staff_note': {
    label: t('Staff note deleted'),
    sentence: (entry, nameOf) =>
      t('deleted a staff note by {author} in the conversation with {fan}', {
        author: teammate(entry.details.author_id, nameOf),
        fan: fanOf(entry),
      }),
  },
  'conversation.take_over': {
    label: t('Claim taken over'),
    sentence: (entry, nameOf) =>
      t('took over the conversation with {fan}, which {holder} had claimed', {
        fan: fanOf(entry),
        holder: teammate(entry.details.claimed_by, nameOf),
      }),
  },
  'conversation.release_expired': {
    label: t('Claim released after inactivity'),
    sentence: (entry, nameOf) =>
      t(
        'released the conversation with {fan} because {holder} hadn’t written anything for too long',
        {
          fan: fanOf(entry),
          holder: teammate(entry.details.claimed_by, nameOf),
        },
      ),
  },
  'scheduled.cancel_for_other': {
    label: t('Scheduled message canceled for a teammate'),
    sentence: ({ details }, nameOf) =>
      t('canceled a message that {author} had scheduled', {
        author: teammate(details.scheduled_by, nameOf),
      }),
  },
};
