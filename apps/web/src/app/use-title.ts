import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { inboxStatsOptions } from '../inbox/list/queries.ts';

/** Shows the number of unread messages in the window's title, for background tabs. */
export function useTitle(): void {
  const { data: stats } = useQuery(inboxStatsOptions);
  const unread = stats?.unread_count ?? 0;
  useEffect(() => {
    document.title = unread > 0 ? `(${unread}) Fan Messages` : 'Fan Messages';
    return () => {
      document.title = 'Fan Messages';
    };
  }, [unread]);
}
