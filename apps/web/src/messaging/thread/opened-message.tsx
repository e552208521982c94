import { galleryOf } from '@stagedoor/browser/bundles';
import { Suspense } from 'react';
import { lazyPart } from '../../lib/lazy-part.ts';
import { useAdmin } from '../../lib/server/session.ts';
import type { MessageHandlers } from '../bubble/message-handlers.ts';
import type { ThreadMessage } from '../messages/cache.ts';
import { shownText } from '../messages/message-text.ts';

const MessageMenu = lazyPart(async () => (await import('../bubble/message-menu.tsx')).MessageMenu);

const Lightbox = lazyPart(async () => (await import('../bubble/lightbox.tsx')).Lightbox);

/** An open message menu, and the element it is anchored to. */
export interface OpenMenu {
  message: ThreadMessage;
  anchor: HTMLElement;
  kind: 'reactions' | 'all';
}

interface OpenedMenuProps {
  menu: OpenMenu;
  handlers: MessageHandlers;
  onClose: () => void;
}

/** The menu of a message. */
export function OpenedMenu({ menu, handlers, onClose }: OpenedMenuProps) {
  const { onReact, onReply, onCopy, onPin } = handlers;
  const { id: myId, permissions } = useAdmin();
  const canWrite = permissions.can_manage_messages;
  return (
    <Suspense fallback={null}>
      <MessageMenu
        anchor={menu.anchor}
        mine={menu.message.reactions.find(({ user_id }) => user_id === myId)?.emoji ?? null}
        canReact={canWrite}
        onReact={(emoji) => onReact(menu.message, emoji)}
        onReply={menu.kind === 'all' && canWrite ? () => onReply(menu.message) : undefined}
        onCopy={
          menu.kind === 'all' && shownText(menu.message.content) !== ''
            ? () => onCopy(shownText(menu.message.content))
            : undefined
        }
        onPin={
          menu.kind === 'all' &&
          menu.message.author !== null &&
          shownText(menu.message.content) !== ''
            ? () => onPin(menu.message)
            : undefined
        }
        onClose={onClose}
      />
    </Suspense>
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

/** The open picture, as large as it fits. */
export function OpenedPicture({ messages, id, refresh, onClose }: OpenedPictureProps) {
  return (
    <Suspense fallback={null}>
      <Lightbox
        pictures={galleryOf(messages.flatMap(({ attachments }) => attachments))}
        openId={id}
        refresh={refresh}
        onClose={onClose}
      />
    </Suspense>
  );
}
