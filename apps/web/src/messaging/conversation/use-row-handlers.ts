import type { StaffNote } from '@stagedoor/contract/messaging/staff-notes';
import { type Dispatch, type RefObject, type SetStateAction, useCallback, useMemo } from 'react';
import { copyText } from '../../lib/copy-text.ts';
import type { MessageHandlers } from '../bubble/message-row.tsx';
import { useMedia } from '../bubble/use-media.ts';
import { useReact } from '../bubble/use-react.ts';
import type { WritingControls } from '../composer/writing-area.tsx';
import type { ThreadMessage } from '../messages/cache.ts';
import { replyTargetOf } from '../messages/message-text.ts';
import type { useSendMessage } from '../messages/use-send-message.ts';
import type { OpenMenu } from '../thread/opened-message.tsx';

interface RowHandlersOptions {
  conversationId: string;
  fanName: string;
  reply: RefObject<WritingControls | null>;
  sending: Pick<ReturnType<typeof useSendMessage>, 'retry' | 'discard'>;
  setMenu: Dispatch<SetStateAction<OpenMenu | null>>;
  /** Opens a picture by its attachment id. */
  setPicture: (attachmentId: string) => void;
  /** Saves a message as a statement of the creator. */
  onPin: (message: ThreadMessage) => void;
}

/** Returns the handlers for the thread's rows. They are stable while the options are, because a change re-renders every row. */
export function useRowHandlers(options: RowHandlersOptions) {
  const { conversationId, fanName, reply, setMenu, setPicture, onPin } = options;
  const react = useReact(conversationId);
  const media = useMedia(conversationId);
  const answer = useCallback(
    (message: ThreadMessage) => reply.current?.replyTo(replyTargetOf(message, fanName)),
    [reply, fanName],
  );
  const editNote = useCallback((note: StaffNote) => reply.current?.editNote(note), [reply]);
  const { retry, discard } = options.sending;
  const handlers = useMemo<Omit<MessageHandlers, 'onOpenQuote'>>(
    () => ({
      onOpenMenu: (message, anchor, kind) =>
        setMenu((open) => (open?.anchor === anchor ? null : { message, anchor, kind })),
      onReact: react,
      onOpenPicture: setPicture,
      ...media,
      onReply: answer,
      onCopy: (text) => void copyText(text),
      onPin,
      onRetry: retry,
      onEdit: (message) => {
        discard(message);
        reply.current?.takeBack(message);
      },
      onDiscard: discard,
    }),
    [setMenu, react, setPicture, media, answer, onPin, retry, discard, reply],
  );
  return { handlers, editNote };
}
