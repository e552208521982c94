import { galleryOf } from '@stagedoor/browser/bundles';
import { lazyExtra } from '@stagedoor/browser/lazy-part';
import { useAdmin } from '../../lib/server/session.ts';
import { actionsOf } from '../bubble/message-actions.ts';
import type { MessageHandlers } from '../bubble/message-handlers.ts';
import type { ThreadMessage } from '../messages/cache.ts';

const MessageMenu = lazyExtra(async () => (await import('../bubble/message-menu.tsx')).MessageMenu);

const UnsendDialog = lazyExtra(
  async () => (await import('../bubble/unsend-dialog.tsx')).UnsendDialog,
);

const Lightbox = lazyExtra(async () => (await import('../bubble/lightbox.tsx')).Lightbox);

/** A message's open menu. */
export interface OpenMenu {
  message: ThreadMessage;
  /** The element beside which the menu opens. Null asks whether to unsend the message, and shows no menu. */
  anchor: HTMLElement | null;
  kind: 'reactions' | 'all';
}

interface OpenedMenuProps {
  menu: OpenMenu;
  handlers: MessageHandlers;
  onClose: () => void;
}

/** The menu of a message, or the question whether to unsend it. */
export function OpenedMenu({ menu, handlers, onClose }: OpenedMenuProps) {
  const { message, anchor, kind } = menu;
  const admin = useAdmin();
  return anchor === null ? (
    <UnsendDialog message={message} onClose={onClose} />
  ) : (
    <MessageMenu
      anchor={anchor}
      mine={message.reactions.find(({ user_id }) => user_id === admin.id)?.emoji ?? null}
      canReact={admin.permissions.can_manage_messages}
      onReact={(emoji) => handlers.onReact(message, emoji)}
      actions={kind === 'all' ? actionsOf(message, admin, handlers) : []}
      onClose={onClose}
    />
  );
}

interface OpenedPictureProps {
  /** The messages on screen, whose pictures the lightbox steps through. */
  messages: readonly ThreadMessage[];
  /** The picture's attachment id. */
  id: string;
  refresh: MessageHandlers['refresh'];
  onClose: () => void;
}

/** The open picture, as large as the window allows. */
export function OpenedPicture({ messages, id, refresh, onClose }: OpenedPictureProps) {
  return (
    <Lightbox
      pictures={galleryOf(messages.flatMap(({ attachments }) => attachments))}
      openId={id}
      refresh={refresh}
      onClose={onClose}
    />
  );
}
