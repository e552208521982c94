import type { InviteState } from '@stagedoor/contract/fans/invites';
import { useInfiniteQuery } from '@tanstack/react-query';
import { MailOpen, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { useNow } from '../../lib/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { SelectField } from '../../ui/form/select-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { InviteRow, STATE_LABELS } from './invite-row.tsx';
import { invitesOptions } from './queries.ts';

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
          >
            <RefreshCw aria-hidden="true" size={16} strokeWidth={1.75} />
          </IconButton>
        </span>
      </div>
      {invites.isError && !invites.isFetching && (
        <ErrorBox text={t('Couldn’t load invitations')} onRetry={() => void invites.refetch()} />
      )}
      {invites.isPending && invites.isFetching && (
        <p role="status" className="flex items-center gap-2 py-4 text-control text-fg-3">
          <Spinner /> {t('Loading invitations...')}
        </p>
      )}
      {invites.data?.length === 0 && (
        <EmptyState
          icon={<MailOpen size={22} strokeWidth={1.75} />}
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
      {invites.hasNextPage && (
        <Button
          className="self-center"
          busy={invites.isFetchingNextPage}
          busyText={t('Loading...')}
          onClick={() => void invites.fetchNextPage()}
        >
          {t('Load More')}
        </Button>
      )}
    </div>
  );
}
