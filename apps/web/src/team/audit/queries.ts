import { listAudit } from '@stagedoor/contract/team/audit';
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';
import { byCursor } from '../../lib/server/by-cursor.ts';
import { type AuditFilter, queryOf } from './filter.ts';

/**
 * Returns the query for the filtered log, newest first, page by page. New entries emit no event, so the log is refetched on each
 * opening.
 */
export const auditOptions = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam, signal }) =>
      call(listAudit, { query: { ...queryOf(filter), ...pageParam }, signal }),
    ...byCursor,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
