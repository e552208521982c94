import { describe, expect, it } from 'vitest';
import { buildConversation } from '../../testing/build-conversation.ts';
import { type Action, actionsFor, outcomeOf, revertOf } from './actions.ts';

const me = (can_manage_admins = false) => ({
  id: 'me',
  codename: 'Mango',
  display_color: '#7024ab',
  permissions: { can_manage_admins, can_manage_messages: true },
});

describe('the available actions', () => {
  it.each<[string, Parameters<typeof actionsFor>[0], boolean, Action[]]>([
    [
      'active, unclaimed',
      { status: 'active', claimed_by: null },
      false,
      ['claim', 'archive', 'flag'],
    ],
    [
      'active, claimed by me',
      { status: 'active', claimed_by: 'me' },
      true,
      ['release', 'archive', 'flag'],
    ],
    [
      'archived, claimed by another admin',
      { status: 'archived', claimed_by: 'x' },
      false,
      ['unarchive'],
    ],
    [
      'flagged, claimed by another admin',
      { status: 'flagged', claimed_by: 'x' },
      true,
      ['take_over', 'release_for_other', 'unflag'],
    ],
  ])('%s', (_, conversation, isManager, expected) => {
    expect(actionsFor(conversation, me(isManager))).toEqual(expected);
  });
});

describe('a failed action', () => {
  const before = buildConversation({ id: 'a' });

  it('restores the previous state', () => {
    const outcome = outcomeOf('archive', me());
    expect(revertOf({ ...before, ...outcome }, outcome, before)).toEqual({ status: 'active' });
  });

  it('keeps a teammate’s change made meanwhile', () => {
    const theirs = { ...before, claimed_by: 'other', version: 2 };
    expect(revertOf(theirs, outcomeOf('claim', me()), before)).toEqual({});
  });
});
