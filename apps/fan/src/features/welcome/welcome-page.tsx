import { rich } from '@stagedoor/browser/rich-text';
import type { BenefitType } from '@stagedoor/contract/fans/invites';
import {
  type Invitation,
  joinByInvitation,
  openInvitation,
  showInvitation,
} from '@stagedoor/contract/platform/fan-app';
import { Gift, MailX } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError, call, errorText } from '../../lib/api.ts';
import { dateOf } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Spinner } from '../../ui/spinner.tsx';

interface WelcomePageProps {
  token: string;
  onJoined: (sessionToken: string) => Promise<void>;
}

type Looked = { invitation: Invitation } | { error: unknown };

/** The page of an email invitation: its benefit, and the form to join. */
export function WelcomePage({ token, onJoined }: WelcomePageProps) {
  const [looked, setLooked] = useState<Looked | null>(null);
  const [attempt, setAttempt] = useState(0);
  const opened = useRef<string | null>(null);
  useEffect(() => {
    let isGone = false;
    call(showInvitation, { params: { token } }).then(
      ({ data }) => {
        if (isGone) return;
        setLooked({ invitation: data });
        if (opened.current === token) return;
        opened.current = token;
        // A failure to report the opening must not affect the fan.
        call(openInvitation, { params: { token } }).catch(() => undefined);
      },
      (error: unknown) => isGone || setLooked({ error }),
    );
    return () => {
      isGone = true;
    };
  }, [token, attempt]);

  if (looked === null) {
    return (
      <div role="status" aria-label={t('Loading')} className="page-loading">
        <Spinner />
      </div>
    );
  }
  if ('error' in looked) {
    return <NoInvitation error={looked.error} onRetry={() => setAttempt(attempt + 1)} />;
  }
  return <Welcome invitation={looked.invitation} token={token} onJoined={onJoined} />;
}

interface WelcomeProps extends WelcomePageProps {
  invitation: Invitation;
}

function Welcome({ invitation, token, onJoined }: WelcomeProps) {
  const { creator, benefit_type, expires_at, joined } = invitation;
  const names = { name: creator.display_name };
  const [name, setName] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);

  const join = async () => {
    setBusy(true);
    setError(null);
    try {
      // A fan who has already joined keeps their name.
      const body = { first_name: joined ? 'Fan' : name.trim() };
      const { data } = await call(joinByInvitation, { params: { token }, body });
      await onJoined(data.token);
    } catch (failure) {
      setBusy(false);
      setError(joinFailure(failure));
    }
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (!joined && name.trim() === '') {
      setError(t('Please enter your name'));
      field.current?.focus();
    } else void join();
  };
  return (
    <Page
      picture={
        <Avatar
          name={creator.display_name}
          url={creator.avatar_url}
          className="size-28 text-[44px] shadow-float ring-4 ring-surface"
        />
      }
      title={joined ? t('Welcome back to {name}', names) : t('{name} invited you', names)}
    >
      <p className="text-balance text-fg-2">
        {joined
          ? t('Your conversation is where you left it.')
          : t('Write to {name} and be the first to see what’s new.', names)}
      </p>
      {!joined && (
        <div className="warm mt-2 flex w-full items-center gap-4 rounded-card p-4 text-start shadow-float">
          <span className="flex size-11 shrink-0 items-center justify-center rounded-full bg-white/20">
            <Gift size={22} />
          </span>
          <p className="min-w-0">
            <strong className="block text-title font-semibold">
              {BENEFIT_WORDS[benefit_type]}
            </strong>
            <span className="block text-control">
              {rich('Join until {date}', {
                date: <time dateTime={expires_at}>{dateOf(expires_at)}</time>,
              })}
            </span>
          </p>
        </div>
      )}
      <form noValidate onSubmit={onSubmit} className="mt-2 flex w-full flex-col gap-4 text-start">
        {!joined && (
          <label className="flex flex-col gap-1.5 text-control font-medium">
            {t('Your name')}
            <input
              ref={field}
              value={name}
              maxLength={100}
              dir="auto"
              autoComplete="given-name"
              enterKeyHint="go"
              aria-invalid={error !== null || undefined}
              onChange={(event) => setName(event.currentTarget.value)}
              className="h-12 w-full rounded-control border border-control bg-surface px-4 text-message"
            />
          </label>
        )}
        {error !== null && <Notice text={error} />}
        <Button type="submit" busy={isBusy} className="min-h-12 w-full text-message">
          {joined ? t('Open your messages') : t('Join')}
        </Button>
      </form>
    </Page>
  );
}

function joinFailure(error: unknown): string {
  const code = error instanceof ApiError ? error.code : null;
  return (
    (code !== null && NO_INVITATION[code]?.text) ||
    errorText(error, t('That didn’t work. Check your connection and try again.'))
  );
}

const NO_INVITATION: Readonly<Record<string, { title: string; text: string }>> = {
  invite_expired: {
    title: t('This invitation has expired'),
    text: t('Invitations are only valid for a limited time. Ask for a new one.'),
  },
  invite_used: {
    title: t('This invitation has already been used'),
    text: t(
      'Someone has already used it. If that was you, go back to your messages in the browser where you joined.',
    ),
  },
  invite_not_found: {
    title: t('We don’t recognize this invitation'),
    text: t(
      'Open the link in your email again, as it may have been cut off. If you got more than one invitation, use the latest.',
    ),
  },
};

function NoInvitation({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const code = error instanceof ApiError ? error.code : null;
  const known = code === null ? undefined : NO_INVITATION[code];
  return (
    <Page
      icon={<MailX size={34} strokeWidth={1.75} />}
      title={known?.title ?? t('This page didn’t load')}
    >
      <p className="text-balance text-fg-2">
        {known?.text ?? errorText(error, t('Check your connection and try again.'))}
      </p>
      {!known && (
        <Button onClick={onRetry} className="mt-2">
          {t('Try again')}
        </Button>
      )}
    </Page>
  );
}

/** The benefits of invitations, worded as in the invitation email. */
const BENEFIT_WORDS: Record<BenefitType, string> = {
  '1_month_free': t('1 month free'),
  '3_months_free': t('3 months free'),
  '24_hours_free': t('24 hours free'),
  full_subscription: t('A full subscription'),
};
