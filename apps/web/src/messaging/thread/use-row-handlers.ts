import { type Dispatch, type SetStateAction, useMemo } from 'react';
import { copyText } from '../../lib/copy-text.ts';
import type { MessageHandlers } from '../bubble/message-handlers.ts';
import { useMedia } from '../bubble/use-media.ts';
import { useReact } from '../bubble/use-react.ts';
import { replyTargetOf } from '../messages/message-text.ts';
import { useOpenConversation } from '../messages/open-conversation.ts';
import { useSendActions } from '../messages/use-send-message.ts';
import type { OpenMenu } from './opened-message.tsx';

interface RowHandlersOptions {
  setMenu: Dispatch<SetStateAction<OpenMenu | null>>;
  /** Opens a picture by its attachment id. */
  setPicture: (attachmentId: string) => void;
  showMessage: (id: string) => void;
}

/** Returns the handlers for the thread's rows. They change only with the options, because a change re-renders every row. */
export function useRowHandlers(options: RowHandlersOptions): MessageHandlers {
  const { setMenu, setPicture, showMessage } = options;
  const { id, fanName, writing, pin } = useOpenConversation();
  const react = useReact(id);
  const media = useMedia(id);
  const { retry, discard } = useSendActions(id);
  return useMemo(
    () => ({
      onOpenMenu: (message, anchor, kind) =>
        setMenu((open) => (open?.anchor === anchor ? null : { message, anchor, kind })),
      onReact: react,
      onOpenPicture: setPicture,
      onOpenQuote: showMessage,
      ...media,
      onReply: (message) => writing.current?.replyTo(replyTargetOf(message, fanName)),
      onCopy: (text) => void copyText(text),
      onPin: pin,
      onUnsend: (message) => setMenu({ message, anchor: null, kind: 'all' }),
      onRetry: retry,
      onEdit: (message) => {
        discard(message);
        writing.current?.takeBack(message);
      },
      onDiscard: discard,
    }),
    [setMenu, react, setPicture, showMessage, media, writing, fanName, pin, retry, discard],
  );
}
