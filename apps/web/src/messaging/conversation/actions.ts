import {
  type Conversation,
  claimConversation,
  releaseConversation,
  setStatus,
} from '@stagedoor/contract/inbox/conversations';
import type { SignedInAdmin } from '@stagedoor/contract/team/auth';
import { call } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';

/** Actions that staff take on a whole conversation. */
export type Action =
  | 'claim'
  | 'release'
  | 'release_for_other'
  | 'take_over'
  | 'archive'
  | 'unarchive'
  | 'flag'
  | 'unflag';

interface ActionWords {
  label: string;
  /** @param name the fan's name */
  done: (name: string) => string;
  failed: string;
  undo: Action | null;
}

/** Each action's label, its success and failure texts, and the action that undoes it. */
export const ACTIONS: Readonly<Record<Action, ActionWords>> = {
  claim: {
    label: t('Claim'),
    done: (name) => t('Claimed {name}', { name }),
    failed: t('Couldn’t claim the conversation'),
    undo: 'release',
  },
  release: {
    label: t('Release'),
    done: (name) => t('Released {name}', { name }),
    failed: t('Couldn’t release the conversation'),
    undo: 'claim',
  },
  release_for_other: {
    label: t('Release'),
    done: (name) => t('Released {name}', { name }),
    failed: t('Couldn’t release the conversation'),
    undo: null,
  },
  take_over: {
    label: t('Take Over'),
    done: (name) => t('Took over {name}', { name }),
    failed: t('Couldn’t claim the conversation'),
    undo: null,
  },
  archive: {
    label: t('Archive'),
    done: (name) => t('Archived {name}', { name }),
    failed: t('Couldn’t update the status'),
    undo: 'unarchive',
  },
  unarchive: {
    label: t('Unarchive'),
    done: (name) => t('Unarchived {name}', { name }),
    failed: t('Couldn’t update the status'),
    undo: 'archive',
  },
  flag: {
    label: t('Flag'),
    done: (name) => t('Flagged {name}', { name }),
    failed: t('Couldn’t update the status'),
    undo: 'unflag',
  },
  unflag: {
    label: t('Unflag'),
    done: (name) => t('Unflagged {name}', { name }),
    failed: t('Couldn’t update the status'),
    undo: 'flag',
  },
};

/** The keyboard shortcuts of the actions. An action and its opposite share a key. */
export const ACTION_KEYS: Readonly<Partial<Record<Action, string>>> = {
  claim: 'C',
  release: 'C',
  archive: 'E',
  unarchive: 'E',
  flag: '!',
  unflag: '!',
};

type Me = Pick<SignedInAdmin, 'id' | 'codename' | 'display_color' | 'permissions'>;

/** Returns the actions that this admin can take on the conversation in its current state. */
export function actionsFor(
  { status, claimed_by }: Pick<Conversation, 'status' | 'claimed_by'>,
  me: Pick<Me, 'id' | 'permissions'>,
): Action[] {
  const claim: Action[] =
    claimed_by === null
      ? ['claim']
      : claimed_by === me.id
        ? ['release']
        : me.permissions.can_manage_admins
          ? ['take_over', 'release_for_other']
          : [];
  if (status === 'archived') return [...claim, 'unarchive'];
  return status === 'flagged' ? [...claim, 'unflag'] : [...claim, 'archive', 'flag'];
}

export type ActionFields = Partial<Pick<Conversation, 'status' | 'claimed_by' | 'claimant'>>;

/** Returns the fields that the action changes. */
export function outcomeOf(action: Action, me: Me): ActionFields {
  switch (action) {
    case 'claim':
    case 'take_over': {
      const { id, codename, display_color } = me;
      return { claimed_by: id, claimant: { id, codename, display_color } };
    }
    case 'release':
    case 'release_for_other':
      return { claimed_by: null, claimant: null };
    default:
      return { status: STATUS_AFTER[action] };
  }
}

/** Returns the fields to restore after an action failed, without those that a newer change has replaced. */
export function revertOf(
  known: Conversation,
  outcome: ActionFields,
  before: Conversation,
): ActionFields {
  const isStillShown =
    'status' in outcome ? known.status === outcome.status : known.claimed_by === outcome.claimed_by;
  if (!isStillShown) return {};
  return 'status' in outcome
    ? { status: before.status }
    : { claimed_by: before.claimed_by, claimant: before.claimant };
}

/** Performs the action on the server. A take-over names the claimant that the viewer saw. Returns the updated conversation. */
export async function perform(
  action: Action,
  { id, claimed_by }: Pick<Conversation, 'id' | 'claimed_by'>,
): Promise<Conversation> {
  const params = { id };
  if (action === 'take_over') {
    const body = claimed_by === null ? {} : { take_over_from: claimed_by };
    return (await call(claimConversation, { params, body })).data;
  }
  if (action === 'claim') return (await call(claimConversation, { params })).data;
  if (action === 'release' || action === 'release_for_other') {
    return (await call(releaseConversation, { params })).data;
  }
  const status = STATUS_AFTER[action];
  return (await call(setStatus, { params, body: { status } })).data;
}

const STATUS_AFTER = {
  archive: 'archived',
  flag: 'flagged',
  unarchive: 'active',
  unflag: 'active',
} as const;
