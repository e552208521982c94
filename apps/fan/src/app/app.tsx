import { CloudOff, Link2Off, MessageCircleHeart, UsersRound } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { onPageCommand, tellPage } from '../lib/embed.ts';
import { t } from '../lib/i18n.ts';
import { openSession, session } from '../lib/session.ts';
import { useStore } from '../lib/store.ts';
import { Button } from '../ui/button.tsx';
import { Page, PageIcon } from '../ui/page.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { Chat } from './chat.tsx';
import {
  declineOther,
  type Entry,
  entryOf,
  goHome,
  type Opened,
  type OtherFan,
  openByLink,
} from './entry.ts';

const WelcomePage = lazy(() => import('../features/welcome/welcome-page.tsx'));

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
    tellPage({ type: 'ready' });
    if (entry.link !== null) exchange(entry.link);
    return onPageCommand((command) => {
      if (command.type !== 'session') return;
      const carried = entryOf(new URL(command.url, window.location.href)).link;
      if (carried !== null) open(carried);
    });
  }, [entry, exchange, open]);

  const isShut = token === null && link === null && invite === null;
  useEffect(() => {
    if (isShut) tellPage({ type: 'session-expired' });
  }, [isShut]);

  if (invite !== null) {
    return (
      <Suspense fallback={<Loading />}>
        <WelcomePage
          token={invite}
          onJoined={() => {
            goHome();
            setInvite(null);
          }}
        />
      </Suspense>
    );
  }
  if (link !== null)
    return opened === null ? <Loading /> : <Unreachable onRetry={() => open(link)} />;
  if (typeof opened === 'object' && opened !== null)
    return <AnotherFan other={opened} onDecided={() => setOpened('opened')} />;
  // An outdated link does not affect a fan who is already signed in.
  if (token !== null) return <Chat key={token} token={token} />;
  return <NoSession isOver={isOver} isInvalid={opened === 'invalid'} />;
}

function Loading() {
  return (
    <div role="status" aria-label={t('Loading')} className="page-loading">
      <Spinner />
    </div>
  );
}

function AnotherFan({ other, onDecided }: { other: OtherFan; onDecided: () => void }) {
  return (
    <Page
      picture={
        <PageIcon>
          <UsersRound size={34} strokeWidth={1.75} />
        </PageIcon>
      }
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

function Unreachable({ onRetry }: { onRetry: () => void }) {
  return (
    <Page
      picture={
        <PageIcon>
          <CloudOff size={34} strokeWidth={1.75} />
        </PageIcon>
      }
      title={t('We can’t reach your messages')}
    >
      <p className="text-fg-2">{t('Check your connection and try again.')}</p>
      <Button onClick={onRetry} className="mt-2">
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
    <Page
      picture={
        <PageIcon>
          <Icon size={36} strokeWidth={1.75} />
        </PageIcon>
      }
      title={title}
    >
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
