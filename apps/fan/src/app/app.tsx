import { lazyPart } from '@stagedoor/browser/lazy-part';
import { CloudOff, Link2Off, MessageCircleHeart, UsersRound } from 'lucide-react';
import { type ReactNode, Suspense, useCallback, useEffect, useState } from 'react';
import { notifyPage, onPageCommand } from '../lib/embed.ts';
import { t } from '../lib/i18n.ts';
import { openSession, session } from '../lib/session.ts';
import { useStore } from '../lib/store.ts';
import { Button } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { Conversation } from './conversation.tsx';
import {
  declineOther,
  type Entry,
  entryOf,
  goHome,
  type Opened,
  type OtherFan,
  openByLink,
  openUnlessOther,
} from './entry.ts';
import { createFanClient } from './fan-client.ts';

const WelcomePage = lazyPart(
  async () => (await import('../features/welcome/welcome-page.tsx')).WelcomePage,
);

/** The client: the welcome page, the conversation, or a page that explains why there is no conversation. */
export function App({ entry }: { entry: Entry }) {
  const { token, isOver } = useStore(session, (state) => state);
  const [invite, setInvite] = useState(entry.invite);
  const [link, setLink] = useState(entry.link);
  const [opened, setOpened] = useState<Opened | null>(null);

  const exchange = useCallback((carried: string) => {
    void openByLink(carried).then((outcome) => {
      setOpened(outcome);
      if (outcome !== 'unreachable') setLink(null);
    });
  }, []);
  const open = useCallback(
    (carried: string) => {
      setLink(carried);
      setOpened(null);
      exchange(carried);
    },
    [exchange],
  );

  useEffect(() => {
    notifyPage({ type: 'ready' });
    if (entry.link !== null) exchange(entry.link);
    return onPageCommand((command) => {
      if (command.type !== 'session') return;
      const carried = entryOf(new URL(command.url, window.location.href)).link;
      if (carried !== null) open(carried);
    });
  }, [entry, exchange, open]);

  const isShut = token === null && link === null && invite === null;
  useEffect(() => {
    if (isShut) notifyPage({ type: 'session-expired' });
  }, [isShut]);

  if (invite !== null) {
    return (
      <Suspense fallback={<Loading label={t('Loading')} />}>
        <WelcomePage
          token={invite}
          onJoined={async (joined) => {
            setOpened(await openUnlessOther(joined));
            goHome();
            setInvite(null);
          }}
        />
      </Suspense>
    );
  }
  if (link !== null && opened === null) return <Loading label={t('Loading')} />;
  if (link !== null) {
    return (
      <Unreachable onRetry={() => open(link)}>
        <p className="text-fg-2">{t('Check your connection and try again.')}</p>
      </Unreachable>
    );
  }
  if (typeof opened === 'object' && opened !== null)
    return <AnotherFan other={opened} onDecided={() => setOpened('opened')} />;
  // An outdated link does not affect a fan who is already signed in.
  if (token !== null) return <Chat key={token} token={token} />;
  return <NoSession isOver={isOver} isInvalid={opened === 'invalid'} />;
}

function Chat({ token }: { token: string }) {
  const [client] = useState(() => createFanClient(token));
  useEffect(() => client.start(), [client]);
  const home = useStore(client.store, (state) => state.home);
  const hasFailed = useStore(client.store, (state) => state.load === 'failed');
  const [isBusy, setBusy] = useState(false);
  if (home !== null) return <Conversation client={client} home={home} />;
  if (!hasFailed) return <Loading label={t('Loading your messages')} />;
  const retry = () => {
    setBusy(true);
    void client.catchUp().finally(() => setBusy(false));
  };
  return (
    <Unreachable onRetry={retry} busy={isBusy}>
      <p className="text-balance text-fg-2">
        {t('They will appear here when you’re back online. What you typed is saved.')}
      </p>
    </Unreachable>
  );
}

function Loading({ label }: { label: string }) {
  return (
    <div role="status" aria-label={label} className="page-loading">
      <Spinner />
    </div>
  );
}

function AnotherFan({ other, onDecided }: { other: OtherFan; onDecided: () => void }) {
  return (
    <Page
      icon={<UsersRound size={34} strokeWidth={1.75} />}
      title={t('Open another fan’s messages?')}
    >
      <p className="text-balance text-fg-2">
        {t(
          'This link belongs to someone else. If you open it, you will be signed out of your own messages in this browser, and you will write as that fan.',
        )}
      </p>
      <Button
        className="mt-2 w-full"
        onClick={() => {
          declineOther(other);
          onDecided();
        }}
      >
        {t('Keep My Messages')}
      </Button>
      <Button
        variant="plain"
        className="w-full"
        onClick={() => {
          openSession(other.otherToken);
          onDecided();
        }}
      >
        {t('Open Their Messages')}
      </Button>
    </Page>
  );
}

interface UnreachableProps {
  onRetry: () => void;
  busy?: boolean;
  children: ReactNode;
}

function Unreachable({ onRetry, busy = false, children }: UnreachableProps) {
  return (
    <Page
      icon={<CloudOff size={34} strokeWidth={1.75} />}
      title={t('We can’t reach your messages')}
    >
      {children}
      <Button onClick={onRetry} busy={busy} className="mt-2">
        {t('Try again')}
      </Button>
    </Page>
  );
}

function NoSession({ isOver, isInvalid }: { isOver: boolean; isInvalid: boolean }) {
  const Icon = isOver || isInvalid ? Link2Off : MessageCircleHeart;
  const title = isOver
    ? t('You were signed out here')
    : isInvalid
      ? t('This link is no longer valid')
      : t('Your messages are a step away');
  return (
    <Page icon={<Icon size={36} strokeWidth={1.75} />} title={title}>
      <p className="text-balance text-fg-2">
        {isInvalid
          ? t(
              'For your safety, links only work for a few minutes. Go back to where you found this one and open your messages from there.',
            )
          : t('Go back to where you follow your creator and open your messages from there.')}
      </p>
      {isOver && (
        <p className="text-control text-fg-3">{t('What you typed is saved in this browser.')}</p>
      )}
    </Page>
  );
}
