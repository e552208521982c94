import { galleryOf } from '@stagedoor/browser/bundles';
import { acceptFiles } from '@stagedoor/browser/file-rules';
import { lazyExtra } from '@stagedoor/browser/lazy-part';
import { useFileDrop } from '@stagedoor/browser/use-file-drop';
import { useUnloadQuestion } from '@stagedoor/browser/use-unload-question';
import type { FanHome } from '@stagedoor/contract/platform/fan-app';
import { HandHeart } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Composer } from '../features/composer/composer.tsx';
import { useDraft } from '../features/composer/use-draft.ts';
import { tipsBefore } from '../features/offers/tip-amount.ts';
import { GestureHint } from '../features/thread/gesture-hint.tsx';
import { Thread } from '../features/thread/thread.tsx';
import { notifyPage } from '../lib/embed.ts';
import { dateOf } from '../lib/format.ts';
import { t } from '../lib/i18n.ts';
import { PAYING } from '../lib/session.ts';
import { useStore } from '../lib/store.ts';
import { storedInTab } from '../lib/stored.ts';
import { useNow } from '../lib/use-today.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { ConnectionBar } from './connection-bar.tsx';
import type { FanClient } from './fan-client.ts';
import { shownIn, unreadIn } from './fan-state.ts';
import { useMessageHandlers } from './use-message-handlers.tsx';

const TipSheet = lazyExtra(async () => (await import('../features/offers/tip-sheet.tsx')).TipSheet);
const Lightbox = lazyExtra(async () => (await import('../features/thread/lightbox.tsx')).Lightbox);
const MessageMenu = lazyExtra(
  async () => (await import('../features/thread/message-menu.tsx')).MessageMenu,
);

interface ConversationProps {
  client: FanClient;
  home: FanHome;
}

/** The whole conversation: header, messages and composer. */
export function Conversation({ client, home }: ConversationProps) {
  const { creator, fan } = home;
  const creatorName = creator.display_name;
  const shown = useStore(client.store, shownIn);
  const outbox = useStore(client.store, (state) => state.outbox);
  const isLive = useStore(client.store, (state) => state.connection === 'live');
  const isKept = useStore(client.store, (state) => state.load === 'kept');
  const newest = useStore(client.store, (state) => state.newest);
  const { draft, change, clear } = useDraft(fan.id);
  const chosen = useChosenFiles();
  const main = useRef<HTMLElement>(null);
  useFileDrop(main, chosen.add);
  const field = useRef<HTMLTextAreaElement>(null);
  const { handlers, opened, menu, error, close } = useMessageHandlers({
    client,
    creatorName,
    onReply: (replyTo) => {
      change({ replyTo });
      field.current?.focus();
    },
  });
  // Opens the tip sheet for a fan who returns from the payment page, to show the outcome.
  const [isTipping, setTipping] = useState(() => tipsBefore(storedInTab.get(PAYING)) !== null);
  useUnreadNotice(client, creatorName);
  useUnloadQuestion(outbox.pending.some(({ files }) => files.length > 0));

  const send = () => {
    client.send({ text: draft.text, replyTo: draft.replyTo, files: chosen.files });
    clear();
    chosen.clear();
  };
  const pictures = galleryOf(shown.messages.flatMap(({ attachments }) => attachments));
  return (
    <main
      ref={main}
      className="mx-auto flex h-full w-full max-w-[720px] flex-col bg-surface md:border-x md:border-line"
    >
      <Header home={home} onTip={() => setTipping(true)} />
      <ConnectionBar isLive={isLive} hasWaiting={outbox.pending.length > 0} />
      <Thread
        shown={shown}
        outbox={outbox}
        fanId={fan.id}
        creatorName={creatorName}
        handlers={handlers}
        isKept={isKept}
        actions={client}
        beginning={<Beginning home={home} isEmpty={shown.messages.length === 0} />}
      />
      {shown.messages.some(({ sender_id }) => sender_id !== fan.id) && <GestureHint />}
      {error !== null && (
        <div className="px-3 pb-1">
          <Notice text={error} />
        </div>
      )}
      <Composer
        draft={draft}
        onChange={change}
        chosen={chosen}
        onSend={send}
        creatorName={creatorName}
        field={field}
      />
      <p aria-live="polite" className="sr-only">
        {newest && `${creatorName}: ${newest.text}`}
      </p>
      {isTipping && !isKept && (
        <TipSheet
          creatorName={creatorName}
          tips={home.tips.length}
          refresh={client.catchUp}
          onClose={() => setTipping(false)}
        />
      )}
      {opened !== null && (
        <Lightbox pictures={pictures} openId={opened} refresh={client.catchUp} onClose={close} />
      )}
      {menu !== null && (
        <MessageMenu
          message={menu.message}
          anchor={menu.anchor}
          fanId={fan.id}
          onReact={(emoji) => {
            close();
            handlers.onReact(menu.message, emoji);
          }}
          onReply={() => {
            close();
            handlers.onReply(menu.message);
          }}
          onClose={close}
        />
      )}
    </main>
  );
}

function Beginning({ home, isEmpty }: { home: FanHome; isEmpty: boolean }) {
  const { creator, fan } = home;
  return (
    <div className="flex flex-col items-center gap-2 px-8 pt-10 pb-4 text-center">
      <Avatar
        name={creator.display_name}
        url={creator.avatar_url}
        className="size-24 text-[36px] shadow-float"
      />
      <p className="mt-2 text-title font-semibold">{creator.display_name}</p>
      <p className="max-w-[320px] text-control text-fg-2">
        {isEmpty
          ? greeting(fan.first_name, creator.display_name)
          : t('This is where your conversation with {creator} began.', {
              creator: creator.display_name,
            })}
      </p>
    </div>
  );
}

function greeting(name: string | null, creator: string): string {
  return name
    ? t('Hi {name}! This is your conversation with {creator}. Say something nice.', {
        name,
        creator,
      })
    : t('Hi! This is your conversation with {creator}. Say something nice.', { creator });
}

/** Shows the number of unread messages in the tab's title, and reports it to the embedding page. */
function useUnreadNotice(client: FanClient, creatorName: string): void {
  const unread = useStore(client.store, unreadIn);
  const isLoaded = useStore(client.store, (state) => state.load === 'loaded');
  useEffect(() => {
    document.title = unread > 0 ? `(${unread}) ${creatorName}` : creatorName;
    if (isLoaded) notifyPage({ type: 'unread', count: unread });
  }, [unread, isLoaded, creatorName]);
}

function Header({ home, onTip }: { home: FanHome; onTip: () => void }) {
  const { creator, subscription } = home;
  const line = subscriptionLine(subscription, useNow());
  return (
    <header className="flex shrink-0 items-center gap-3 border-b border-line bg-surface px-4 pt-[calc(env(safe-area-inset-top)+8px)] pb-2 md:px-5">
      <Avatar name={creator.display_name} url={creator.avatar_url} className="size-11 text-title" />
      <div className="min-w-0 flex-1">
        <h1 className="truncate text-title font-semibold tracking-tight">{creator.display_name}</h1>
        {line !== null && <p className="-mt-0.5 truncate text-meta text-fg-2">{line}</p>}
      </div>
      <Button
        variant="secondary"
        icon={<HandHeart aria-hidden="true" size={18} strokeWidth={1.75} />}
        onClick={onTip}
        className="shrink-0"
      >
        {t('Tip')}
      </Button>
    </header>
  );
}

/** Describes a trial or subscription; null without one or after its end. `now` is in milliseconds. */
function subscriptionLine(subscription: FanHome['subscription'], now: number): string | null {
  if (subscription === null) return null;
  const { status, ends_at } = subscription;
  if (ends_at !== null && Date.parse(ends_at) <= now) return null;
  const isTrial = status === 'trial';
  if (ends_at === null) return isTrial ? t('Free trial') : t('Subscribed');
  const date = dateOf(ends_at);
  return isTrial ? t('Free trial until {date}', { date }) : t('Subscribed until {date}', { date });
}

const NOBODY: readonly File[] = [];

/** Collects the files for the next message: picked, pasted or dropped. */
function useChosenFiles() {
  const [files, setFiles] = useState(NOBODY);
  const [objections, setObjections] = useState<readonly string[]>([]);
  const add = useCallback(
    (more: readonly File[]) => {
      if (more.length === 0) return;
      const taken = acceptFiles(files.length, more);
      setFiles([...files, ...taken.accepted]);
      setObjections(taken.objections);
    },
    [files],
  );
  const clear = useCallback(() => {
    setFiles(NOBODY);
    setObjections([]);
  }, []);
  const remove = useCallback((file: File) => {
    setFiles((held) => held.filter((each) => each !== file));
    setObjections([]);
  }, []);
  return { files, objections, add, remove, clear };
}
