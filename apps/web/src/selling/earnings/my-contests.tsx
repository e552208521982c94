import { formatMoney } from '@stagedoor/browser/money';
import { useInfiniteQuery } from '@tanstack/react-query';
import { t } from '../../lib/text/i18n.ts';
import { Card } from '../../ui/card.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { MorePages } from '../../ui/more-pages.tsx';
import { ContestList, ContestRow } from './contest-row.tsx';
import { contestsOptions } from './queries.ts';

/** The contests that an admin made or that concern the admin's own lines, with their answers. Hidden if there are none. */
export function MyContests({ adminId }: { adminId: string }) {
  const contests = useInfiniteQuery(contestsOptions({ admin_id: adminId }));
  const own = contests.data;
  if (contests.isLoadingError)
    return (
      <ErrorBox
        text={t('Couldn’t load the contests')}
        onRetry={() => void contests.refetch()}
        retrying={contests.isFetching}
      />
    );
  if (own === undefined || own.length === 0) return null;
  return (
    <Card title={t('My Contests')} subtitle={t('Open ones first, and how each was answered')}>
      <ContestList>
        {own.map((contest) => {
          const part = contest.parts.find(({ admin_id }) => admin_id === adminId);
          return (
            <ContestRow key={contest.id} contest={contest}>
              {part && (
                <p className="text-control text-fg-2 tabular-nums">
                  {t('Yours now: {amount}', { amount: formatMoney(part.amount) })}
                </p>
              )}
            </ContestRow>
          );
        })}
      </ContestList>
      <MorePages query={contests} loaded={contests.data?.length ?? 0} className="mx-4 mb-4" />
    </Card>
  );
}
