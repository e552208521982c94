import type { FanVisibleMessage } from '@stagedoor/contract/messaging/messages';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ReplyTarget } from '../features/composer/state.ts';
import { OfferCard } from '../features/offers/offer-card.tsx';
import type { MessageHandlers } from '../features/thread/message-row.tsx';
import { replyTargetOf } from '../features/thread/message-text.ts';
import { errorText } from '../lib/api.ts';
import { t } from '../lib/i18n.ts';
import type { FanClient } from './fan-client.ts';
import { shownIn } from './fan-state.ts';

interface Menu {
  message: FanVisibleMessage;
  anchor: HTMLElement;
}

interface MessageHandlersOptions {
  client: FanClient;
  creatorName: string;
  onReply: (target: ReplyTarget) => void;
}

/** How long an error is shown. Milliseconds. */
const ERROR_MS = 6_000;

/** Provides the actions for messages, and manages which picture or menu is open. */
export function useMessageHandlers(options: MessageHandlersOptions) {
  const { client, creatorName } = options;
  const [opened, setOpened] = useState<string | null>(null);
  const [menu, setMenu] = useState<Menu | null>(null);
  const [error, setError] = useState<string | null>(null);
  const onReply = useRef(options.onReply);
  useEffect(() => {
    onReply.current = options.onReply;
  });
  useEffect(() => {
    if (error === null) return;
    const timer = setTimeout(() => setError(null), ERROR_MS);
    return () => clearTimeout(timer);
  }, [error]);

  const handlers = useMemo((): Omit<MessageHandlers, 'onOpenQuote'> => {
    const { catchUp } = client;
    return {
      refresh: catchUp,
      onOpenPicture: setOpened,
      onMenu: (message, anchor) => setMenu({ message, anchor }),
      onRetry: client.retry,
      onDiscard: client.discard,
      onReply(message) {
        const isCreators = message.sender_id !== client.store.get().home?.fan.id;
        onReply.current(replyTargetOf(message, isCreators ? creatorName : t('You')));
      },
      onReact(message, emoji) {
        client
          .react(message.id, emoji)
          .catch((failure: unknown) =>
            setError(errorText(failure, t('Your reaction was not sent. Check your connection.'))),
          );
      },
      async onDownload(attachmentId) {
        // The URL may have expired.
        await catchUp();
        const attachment = shownIn(client.store.get())
          .messages.flatMap(({ attachments }) => attachments)
          .find(({ id }) => id === attachmentId);
        if (!attachment?.url) return;
        const link = document.createElement('a');
        link.href = attachment.url;
        link.download = attachment.filename ?? '';
        link.click();
      },
      offer: (messageId, attachment) => (
        <OfferCard
          key={attachment.id}
          messageId={messageId}
          attachment={attachment}
          creatorName={creatorName}
          refresh={catchUp}
          onOpen={setOpened}
        />
      ),
    };
  }, [client, creatorName]);

  const close = () => {
    setOpened(null);
    setMenu(null);
  };
  return { handlers, opened, menu, error, close };
}
