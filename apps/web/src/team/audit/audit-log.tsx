import type { AuditEntry } from '@stagedoor/contract/team/audit';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { type CSSProperties, memo, useCallback, useMemo, useState } from 'react';
import { errorText } from '../../lib/server/api.ts';
import { exactTimeOf } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { adminsOptions } from '../admins/queries.ts';
import type { NameOf } from './action-texts.ts';
import { AuditFilters } from './audit-filters.tsx';
import { byDay, timeOfDay } from './days.ts';
import { isFiltering, NO_FILTER } from './filter.ts';
import { auditOptions } from './queries.ts';
import { sentenceOf } from './sentence.ts';

/** The log of actions that required a permission: one sentence each, grouped by day. */
export function AuditLog() {
  const [filter, setFilter] = useState(NO_FILTER);
  const log = useInfiniteQuery(auditOptions(filter));
  const { data: admins } = useQuery(adminsOptions);
  const nameOf = useCallback<NameOf>(
    (id) => admins?.find((admin) => admin.id === id)?.codename ?? null,
    [admins],
  );
  const pages = log.data?.pages;
  const days = useMemo(() => byDay(pages?.flatMap(({ data }) => data) ?? []), [pages]);
  const { isFetching, isError } = log;
  const retry = () => void (pages === undefined ? log.refetch() : log.fetchNextPage());
  return (
    <div className="flex flex-col gap-4 md:gap-6">
      <AuditFilters filter={filter} onChange={setFilter} actions={pages?.at(-1)?.actions ?? []} />
      <section
        aria-label={t('Entries')}
        aria-busy={log.isPlaceholderData}
        className={classes(
          'overflow-clip rounded-card border border-line bg-surface [&>div:last-child_li:last-child]:border-b-0',
          log.isPlaceholderData && 'opacity-90',
        )}
      >
        {days.map(({ title, entries }) => (
          <div key={title}>
            <h3 className="border-b border-line bg-surface-2 px-4 py-1.5 text-meta font-medium text-fg-2">
              {title}
            </h3>
            <ul>
              {entries.map((entry) => (
                <Entry key={entry.id} entry={entry} nameOf={nameOf} />
              ))}
            </ul>
          </div>
        ))}
        {pages !== undefined && days.length === 0 && (
          <EmptyState
            icon={<ScrollText size={22} />}
            title={t('Nothing in the log')}
            text={
              isFiltering(filter)
                ? t('No entries match these filters.')
                : t('Everything that managers do is recorded here permanently.')
            }
          />
        )}
        {isError && !isFetching && (
          <div className="p-4">
            <ErrorBox
              text={errorText(log.error, t('Couldn’t load the audit log'))}
              onRetry={retry}
            />
          </div>
        )}
        {isFetching &&
          !log.isPlaceholderData &&
          (pages === undefined || log.isFetchingNextPage) && (
            <p
              role="status"
              className="flex items-center justify-center gap-2 p-4 text-meta text-fg-3"
            >
              <Spinner /> {t('Loading entries...')}
            </p>
          )}
        <MoreButton query={log} />
      </section>
    </div>
  );
}

const Entry = memo(function Entry({ entry, nameOf }: { entry: AuditEntry; nameOf: NameOf }) {
  const { admin, at } = entry;
  return (
    <li className="flex items-baseline gap-3 border-b border-line px-4 py-2.5 [contain-intrinsic-size:auto_41px] [content-visibility:auto]">
      <time
        dateTime={at}
        title={exactTimeOf(at)}
        className="w-10 shrink-0 text-meta text-fg-3 tabular-nums"
      >
        {timeOfDay(at)}
      </time>
      <span
        aria-hidden="true"
        className={classes(
          'mt-1.5 size-2 shrink-0 self-start rounded-full',
          admin ? 'bg-own' : 'border border-control',
        )}
        style={admin ? ({ '--t': admin.display_color } as CSSProperties) : undefined}
      />
      <p className="min-w-0 flex-1 wrap-anywhere">
        {sentenceOf(
          <span title={admin?.email} className="font-medium">
            {admin?.codename ?? t('The server')}
          </span>,
          entry,
          nameOf,
        )}
      </p>
    </li>
  );
});
