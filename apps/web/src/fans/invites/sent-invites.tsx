import type { Invite, InviteState } from '@stagedoor/contract/fans/invites';
import { useInfiniteQuery } from '@tanstack/react-query';
import { MailOpen, RefreshCw } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { errorText } from '../../lib/server/api.ts';
import { exactTimeOf, relativeTime } from '../../lib/text/format.ts';
import { locale, t, translated } from '../../lib/text/i18n.ts';
import { useNow } from '../../lib/use-now.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { SelectField } from '../../ui/form/select-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { LoadingLine } from '../../ui/loading-line.tsx';
import { MorePages } from '../../ui/more-pages.tsx';
import { BENEFITS, invitesOptions, useResend } from './queries.ts';

/** The labels of an invitation's states, in order of progress. */
const STATE_LABELS: Record<InviteState, string> = {
  queued: t('Queued'),
  sent: t('Sent', 'invitation'),
  opened: t('Opened'),
  accepted: t('Accepted'),
  expired: t('Expired'),
  failed: t('Failed'),
};

const TONES: Record<InviteState, NonNullable<ComponentProps<typeof Badge>['tone']>> = {
  queued: 'neutral',
  sent: 'info',
  opened: 'warn',
  accepted: 'good',
  expired: 'neutral',
  failed: 'bad',
};

const sinceOf = (invite: Invite): string => {
  if (invite.state === 'accepted') return invite.accepted_at ?? invite.created_at;
  if (invite.state === 'opened') return invite.opened_at ?? invite.created_at;
  if (invite.state === 'expired') return invite.expires_at;
  return invite.sent_at ?? invite.created_at;
};

const expiry = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric' });

/**
 * One invitation.
 * @param now in milliseconds
 */
function InviteRow({ invite, now }: { invite: Invite; now: number }) {
  const resend = useResend(invite.id);
  const since = sinceOf(invite);
  const benefit = BENEFITS.find(({ type }) => type === invite.benefit_type)?.label ?? '';
  const name = invite.invited_by.codename;
  const isOpen = ['queued', 'sent', 'opened'].includes(invite.state);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
      <div className="min-w-0 flex-1 basis-52">
        <p className="truncate text-base font-medium" title={invite.email}>
          {invite.email}
        </p>
        <p className="text-meta text-fg-3">
          {isOpen
            ? t('{benefit} · by {name} · until {date}', {
                benefit,
                name,
                date: expiry.format(Date.parse(invite.expires_at)),
              })
            : t('{benefit} · by {name}', { benefit, name })}
        </p>
      </div>
      <div className="flex shrink-0 items-center gap-2">
        <Badge tone={TONES[invite.state]}>{STATE_LABELS[invite.state]}</Badge>
        <time
          dateTime={since}
          title={exactTimeOf(since)}
          className="min-w-14 text-end text-meta max-md:min-w-0 text-fg-3 tabular-nums"
        >
          {relativeTime(since, now)}
        </time>
        {invite.can_resend && (
          <Button
            size="small"
            aria-label={t('Resend to {email}', { email: invite.email })}
            busy={resend.isPending}
            onClick={() => resend.mutate()}
          >
            {t('Resend')}
          </Button>
        )}
      </div>
      {(invite.error !== null || resend.isError) && (
        <p
          role={resend.isError ? 'alert' : undefined}
          className={classes(
            'w-full text-meta wrap-anywhere',
            invite.state === 'queued' ? 'text-warn' : 'text-danger-text',
          )}
        >
          {resend.isError ? errorText(resend.error, t('Failed to send invites')) : errorOf(invite)}
        </p>
      )}
    </li>
  );
}

const errorOf = ({ state, error }: Invite): string =>
  state === 'queued'
    ? t('Will be retried: {problem}', { problem: translated(error ?? '') })
    : translated(error ?? '');

const STATES = Object.keys(STATE_LABELS) as InviteState[];

/** The invitations and their states, newest first. */
export function SentInvites() {
  const [state, setState] = useState<InviteState | null>(null);
  const invites = useInfiniteQuery(invitesOptions(state));
  const now = useNow();
  return (
    <div className="flex min-h-80 flex-col gap-2">
      <div className="flex items-center gap-2">
        <SelectField
          label={t('State')}
          isInline
          value={state ?? ''}
          onChange={(event) =>
            setState(STATES.find((known) => known === event.target.value) ?? null)
          }
        >
          <option value="">{t('All', 'invitations')}</option>
          {STATES.map((known) => (
            <option key={known} value={known}>
              {STATE_LABELS[known]}
            </option>
          ))}
        </SelectField>
        <span className="ms-auto">
          <IconButton
            label={t('Refresh Invitations')}
            disabled={invites.isFetching}
            onClick={() => void invites.refetch()}
            icon={<RefreshCw />}
          />
        </span>
      </div>
      {invites.isError && !invites.isFetchNextPageError && !invites.isFetching && (
        <ErrorBox text={t('Couldn’t load invitations')} onRetry={() => void invites.refetch()} />
      )}
      {invites.isPending && <LoadingLine text={t('Loading invitations...')} />}
      {invites.data?.length === 0 && (
        <EmptyState
          icon={<MailOpen size={22} />}
          title={state === null ? t('No invitations yet') : t('No invitations in this state')}
        />
      )}
      {invites.data !== undefined && invites.data.length > 0 && (
        <ul aria-label={t('Sent Invitations')} className="divide-y divide-line">
          {invites.data.map((invite) => (
            <InviteRow key={invite.id} invite={invite} now={now} />
          ))}
        </ul>
      )}
      <MorePages query={invites} loaded={invites.data?.length ?? 0} className="self-center" />
    </div>
  );
}
