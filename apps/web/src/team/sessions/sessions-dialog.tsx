import { listSessions, revokeSession, type Session } from '@stagedoor/contract/team/auth';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Monitor, Smartphone } from 'lucide-react';
import { ApiError, call, errorText } from '../../lib/server/api.ts';
import { deviceOf } from '../../lib/server/device.ts';
import { useQueuedMutation } from '../../lib/server/use-queued-mutation.ts';
import { exactTimeOf, relativeTime } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { useNow } from '../../lib/use-now.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { LoadingLine } from '../../ui/loading-line.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { QueryError } from '../../ui/query-error.tsx';

/** Ends sessions one after the other. A session that is already over counts as ended. */
function useEndSessions() {
  const client = useQueryClient();
  return useQueuedMutation(['sessions'], {
    mutationFn: async (ids: readonly string[]) => {
      for (const id of ids) {
        try {
          await call(revokeSession, { params: { id } });
        } catch (error) {
          if (!(error instanceof ApiError && error.code === 'session_not_found')) throw error;
        }
        client.setQueryData(sessionsOptions.queryKey, (list) =>
          list?.filter((session) => session.id !== id),
        );
      }
    },
  });
}

/** The dialog that lists an admin's sessions and ends them. */
export function SessionsDialog({ onClose }: { onClose: () => void }) {
  const sessions = useQuery(sessionsOptions);
  const end = useEndSessions();
  const ending = end.pending.flat();
  const others = sessions.data?.filter(({ current }) => !current) ?? [];
  return (
    <Dialog
      title={t('Sessions')}
      subtitle={t('Where you are signed in')}
      onClose={onClose}
      footer={
        <>
          {others.length > 1 && (
            <Button
              busy={end.pending.some((ids) => ids.length > 1)}
              onClick={() => end.mutate(others.map(({ id }) => id))}
              className="me-auto text-danger-text!"
            >
              {t('End All Others')}
            </Button>
          )}
          <Button onClick={onClose}>{t('Close')}</Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {end.error && <ErrorBox text={errorText(end.error, t('Couldn’t end the session'))} />}
        {sessions.isLoadingError && (
          <QueryError query={sessions} text={t('Couldn’t load sessions')} />
        )}
        {sessions.isPending && <LoadingLine text={t('Loading sessions...')} />}
        {sessions.data && (
          <ul aria-label={t('Sessions')} className="flex flex-col divide-y divide-line">
            {sessions.data.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                isEnding={ending.includes(session.id)}
                onEnd={() => end.mutate([session.id])}
              />
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}

interface SessionRowProps {
  session: Session;
  isEnding: boolean;
  onEnd: () => void;
}

function SessionRow({ session, isEnding, onEnd }: SessionRowProps) {
  const now = useNow();
  const { name, isHandheld } = deviceOf(session.user_agent);
  const Icon = isHandheld ? Smartphone : Monitor;
  return (
    <li className="flex min-h-14 items-center gap-3 py-2">
      <span
        aria-hidden="true"
        className="inline-flex size-9 shrink-0 items-center justify-center rounded-control bg-surface-2 text-fg-2"
      >
        <Icon />
      </span>
      <span className="flex min-w-0 flex-1 flex-col">
        <span title={session.user_agent ?? undefined} className="truncate font-medium">
          {name}
        </span>
        <span className="text-meta text-fg-3">
          <span title={exactTimeOf(session.last_used_at)}>
            {t('Last used: {when}', { when: relativeTime(session.last_used_at, now) })}
          </span>
          {' · '}
          <span title={exactTimeOf(session.created_at)}>
            {t('Signed in: {when}', { when: relativeTime(session.created_at, now) })}
          </span>
          {session.factors.includes('passkey') && ` · ${t('with a passkey')}`}
        </span>
      </span>
      {session.current ? (
        <Badge tone="good">{t('This session')}</Badge>
      ) : (
        <Button size="small" busy={isEnding} onClick={onEnd} aria-label={t('End {name}', { name })}>
          {t('End')}
        </Button>
      )}
    </li>
  );
}

/** The signed-in admin's sessions, last used first. There is no event for changes, so they are refetched on each opening. */
const sessionsOptions = queryOptions({
  queryKey: ['auth', 'sessions'],
  queryFn: async ({ signal }): Promise<Session[]> => (await call(listSessions, { signal })).data,
  staleTime: 0,
});
