import { rich } from '@stagedoor/browser/rich-text';
import { grantTime, type ShiftExtension } from '@stagedoor/contract/team/shifts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Hourglass } from 'lucide-react';
import { call, errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { showProblem, showToast } from '../../ui/overlay/toast.ts';
import { Bar } from './bar.tsx';
import { refreshShifts } from './queries.ts';

/** The maximum number of requests shown, because more would cover the page. The next ones appear when these are granted. */
const MOST = 3;

/** The requests for more time that the viewer can grant. */
export function RequestsBar({ requests }: { requests: readonly ShiftExtension[] }) {
  return (
    <ul aria-label={t('Requests for More Time')}>
      {requests.slice(0, MOST).map((request) => (
        <li key={request.id}>
          <Request request={request} />
        </li>
      ))}
    </ul>
  );
}

function Request({ request: { id, admin } }: { request: ShiftExtension }) {
  const client = useQueryClient();
  const { codename } = admin;
  const grant = useMutation({
    mutationFn: () => call(grantTime, { params: { id } }),
    onSuccess: () => showToast({ text: t('{name} has 30 more minutes', { name: codename }) }),
    onError: (error) =>
      showProblem({ key: id, text: errorText(error, t('Couldn’t grant more time')) }),
    onSettled: () => refreshShifts(client),
  });
  return (
    <Bar
      icon={<Hourglass />}
      tone="accent"
      text={
        <span role="status">
          {rich('{name} asks for 30 more minutes', { name: <strong>{codename}</strong> })}
        </span>
      }
    >
      <Button
        size="small"
        busy={grant.isPending}
        aria-label={t('Grant {name} 30 more minutes', { name: codename })}
        onClick={() => grant.mutate()}
      >
        {t('Grant')}
      </Button>
    </Bar>
  );
}
