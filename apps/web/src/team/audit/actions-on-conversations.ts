import { rich } from '@stagedoor/browser/rich-text';
import { exactTimeOf } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { type ActionTexts, fanOf, teammate, textOf } from './action-texts.ts';

/** The sentences for actions on conversations, notes and scheduled messages. */
export const ACTIONS_ON_CONVERSATIONS: ActionTexts = {
  'conversation.release_for_other': {
    label: t('Claim released for a teammate'),
    sentence: (actor, entry, nameOf) =>
      rich(
        '{actor} released the conversation with {fan}, which {holder} had claimed',
        { actor },
        {
          fan: fanOf(entry),
          holder: teammate(entry.details.claimed_by, nameOf),
        },
      ),
  },
  'conversation.snooze': {
    label: t('Conversation snoozed'),
    sentence: (actor, entry) => {
      const until = textOf(entry.details.until);
      const fan = fanOf(entry);
      return until === ''
        ? rich('{actor} snoozed the conversation with {fan} until they write', { actor }, { fan })
        : rich(
            '{actor} snoozed the conversation with {fan} until {time}',
            { actor },
            { fan, time: exactTimeOf(until) },
          );
    },
  },
  'conversation.unsnooze': {
    label: t('Snooze ended'),
    sentence: (actor, entry) =>
      rich(
        '{actor} ended the snooze for the conversation with {fan}',
        { actor },
        { fan: fanOf(entry) },
      ),
  },
  'statement.pin': {
    label: t('Statement saved'),
    sentence: (actor, entry) =>
      rich('{actor} saved a statement to {fan}', { actor }, { fan: fanOf(entry) }),
  },
  'statement.change': {
    label: t('Statement changed'),
    sentence: (actor, entry) =>
      rich('{actor} edited a statement to {fan}', { actor }, { fan: fanOf(entry) }),
  },
  'statement.remove': {
    label: t('Statement removed'),
    sentence: (actor, entry) =>
      rich('{actor} removed a statement to {fan}', { actor }, { fan: fanOf(entry) }),
  },
  'promise.make': {
    label: t('Promise added'),
    sentence: (actor, entry) =>
      rich('{actor} added a promise to {fan}', { actor }, { fan: fanOf(entry) }),
  },
  'promise.change': {
    label: t('Promise changed'),
    sentence: (actor, entry) =>
      rich('{actor} changed a promise to {fan}', { actor }, { fan: fanOf(entry) }),
  },
  'promise.keep': {
    label: t('Promise done'),
    sentence: (actor, entry) =>
      rich('{actor} marked a promise to {fan} as done', { actor }, { fan: fanOf(entry) }),
  },
  'promise.reopen': {
    label: t('Promise reopened'),
    sentence: (actor, entry) =>
      rich('{actor} marked a promise to {fan} as not done', { actor }, { fan: fanOf(entry) }),
  },
  'promise.remove': {
    label: t('Promise removed'),
    sentence: (actor, entry) =>
      rich('{actor} removed a promise to {fan}', { actor }, { fan: fanOf(entry) }),
  },
  'conversation.hand_over': {
    label: t('Conversation handed over'),
    sentence: (actor, entry, nameOf) => {
      const { to } = entry.details;
      const fan = fanOf(entry);
      return to === null
        ? rich(
            '{actor} released the conversation with {fan} at the end of a shift',
            { actor },
            { fan },
          )
        : rich(
            '{actor} handed the conversation with {fan} over to {teammate}',
            { actor },
            {
              fan,
              teammate: teammate(to, nameOf),
            },
          );
    },
  },
  'conversation.edit_staff_note': {
    label: t('Staff note changed'),
    sentence: (actor, entry) =>
      rich(
        '{actor} edited one of their staff notes in the conversation with {fan}',
        { actor },
        { fan: fanOf(entry) },
      ),
  },
  'conversation.delete_staff_note': {
    label: t('Staff note deleted'),
    sentence: (actor, entry, nameOf) =>
      rich(
        '{actor} deleted a staff note by {author} in the conversation with {fan}',
        { actor },
        {
          author: teammate(entry.details.author_id, nameOf),
          fan: fanOf(entry),
        },
      ),
  },
  'conversation.take_over': {
    label: t('Claim taken over'),
    sentence: (actor, entry, nameOf) =>
      rich(
        '{actor} took over the conversation with {fan}, which {holder} had claimed',
        { actor },
        {
          fan: fanOf(entry),
          holder: teammate(entry.details.claimed_by, nameOf),
        },
      ),
  },
  'conversation.assign': {
    label: t('Conversation assigned'),
    sentence: (actor, entry, nameOf) =>
      rich(
        '{actor} assigned the conversation with {fan} to {teammate}',
        { actor },
        {
          fan: fanOf(entry),
          teammate: teammate(entry.details.to_id, nameOf),
        },
      ),
  },
  'conversation.unassign': {
    label: t('Assignment undone'),
    sentence: (actor, entry, nameOf) =>
      rich(
        '{actor} undid assigning the conversation with {fan} to {teammate}',
        { actor },
        {
          fan: fanOf(entry),
          teammate: teammate(entry.details.claimed_by, nameOf),
        },
      ),
  },
  'conversation.unsend': {
    label: t('Message unsent'),
    sentence: (actor, entry, nameOf) =>
      entry.details.author_id === undefined
        ? rich('{actor} unsent a message to {fan}', { actor }, { fan: fanOf(entry) })
        : rich(
            '{actor} unsent {author}’s message to {fan}',
            { actor },
            { fan: fanOf(entry), author: teammate(entry.details.author_id, nameOf) },
          ),
  },
  'conversation.release_expired': {
    label: t('Claim released after inactivity'),
    sentence: (actor, entry, nameOf) =>
      rich(
        '{actor} released the conversation with {fan} because {holder} hadn’t written anything for too long',
        { actor },
        {
          fan: fanOf(entry),
          holder: teammate(entry.details.claimed_by, nameOf),
        },
      ),
  },
  'scheduled.cancel_for_other': {
    label: t('Scheduled message canceled for a teammate'),
    sentence: (actor, { details }, nameOf) =>
      rich(
        '{actor} canceled a message scheduled by {author}',
        { actor },
        {
          author: teammate(details.scheduled_by, nameOf),
        },
      ),
  },
};
