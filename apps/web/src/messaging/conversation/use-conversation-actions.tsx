import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdmin } from '../../lib/server/session.ts';
import { t } from '../../lib/text/i18n.ts';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import type { Board } from '../messages/board.ts';
import { NO_PRIVILEGE } from '../messages/no-privilege.ts';
import { ACTIONS, type Action, actionsFor } from './actions.ts';
import { runAction } from './run-action.ts';

/** The confirmations for acting on a teammate's claim. */
const QUESTIONS = {
  release_for_other: {
    label: (name: string) => t('Release {name}’s Claim', { name }),
    title: (name: string) => t('Release {name}’s claim?', { name }),
    text: (name: string) =>
      t('{name} has claimed this conversation. After you release it, anyone can claim it.', {
        name,
      }),
    confirm: t('Release'),
  },
  take_over: {
    label: (name: string) => t('Take Over from {name}', { name }),
    title: (name: string) => t('Take over from {name}?', { name }),
    text: (name: string) =>
      t('{name} has claimed this conversation. If you take over, the claim is yours.', { name }),
    confirm: t('Take Over'),
  },
} as const;

/** Returns the codename of the teammate who has claimed the conversation. */
export const holderOf = ({ claimant }: Conversation) => claimant?.codename ?? t('another admin');

/** Returns the actions available on a conversation, and how to start them, with a confirmation if needed. */
export function useConversationActions(conversation: Conversation, board: Board) {
  const { id } = conversation;
  const client = useQueryClient();
  const admin = useAdmin();
  const run = (action: Action) => void runAction({ client, board, admin }, id, action);
  const [asking, setAsking] = useState<keyof typeof QUESTIONS | null>(null);
  const holder = holderOf(conversation);
  const isAsked = (action: Action): action is keyof typeof QUESTIONS => action in QUESTIONS;
  const question = asking && (
    <ConfirmDialog
      title={QUESTIONS[asking].title(holder)}
      text={QUESTIONS[asking].text(holder)}
      confirmLabel={QUESTIONS[asking].confirm}
      onClose={() => setAsking(null)}
      onConfirm={() => run(asking)}
    />
  );
  return {
    available: actionsFor(conversation, admin),
    begin: (action: Action) => (isAsked(action) ? setAsking(action) : run(action)),
    /** Retries a failed action. It was already confirmed. */
    retry: run,
    labelOf: (action: Action) =>
      isAsked(action) ? QUESTIONS[action].label(holder) : ACTIONS[action].label,
    disabledBecause: admin.permissions.can_manage_messages ? null : NO_PRIVILEGE,
    question,
  };
}
