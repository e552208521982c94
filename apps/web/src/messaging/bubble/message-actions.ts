import type { SignedInAdmin } from '@stagedoor/contract/team/auth';
import { Copy, type LucideIcon, Pin, Reply, Trash2 } from 'lucide-react';
import { t } from '../../lib/text/i18n.ts';
import type { ThreadMessage } from '../messages/cache.ts';
import { shownText } from '../messages/message-text.ts';
import type { MessageHandlers } from './message-handlers.ts';

/** An action on a message, in its menu and beside it. */
export interface MessageAction {
  label: string;
  icon: LucideIcon;
  run: () => void;
}

/**
 * Returns whether the admin can unsend the message. The fan must not have read or bought it, and only managers can unsend
 * messages of others. Requires the message privilege.
 */
export function canUnsend(
  { author, read_at, attachments }: ThreadMessage,
  { id, permissions }: SignedInAdmin,
): boolean {
  if (author === null || read_at !== null || !permissions.can_manage_messages) return false;
  const isBought = attachments.some(
    ({ is_paid, purchased_at }) => is_paid && purchased_at !== null,
  );
  return !isBought && (author.id === id || permissions.can_manage_admins);
}

/** Returns what the admin can do with a message, besides reacting. */
export function actionsOf(
  message: ThreadMessage,
  admin: SignedInAdmin,
  { onReply, onCopy, onPin, onUnsend }: MessageHandlers,
): MessageAction[] {
  const text = shownText(message.content);
  return [
    // Actions whose result a fan sees require the message privilege.
    admin.permissions.can_manage_messages && {
      label: t('Reply', 'verb'),
      icon: Reply,
      run: () => onReply(message),
    },
    text !== '' && { label: t('Copy'), icon: Copy, run: () => onCopy(text) },
    text !== '' &&
      message.author !== null && {
        label: t('Save as Statement'),
        icon: Pin,
        run: () => onPin(message),
      },
    canUnsend(message, admin) && {
      label: t('Unsend'),
      icon: Trash2,
      run: () => onUnsend(message),
    },
  ].filter((action) => action !== false);
}
