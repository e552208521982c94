import type { Colleague } from '@stagedoor/contract/messaging/mentions';
import { useMemo } from 'react';
import { useAdmin } from '../../lib/server/session.ts';
import { useCached } from '../../lib/server/use-cached.ts';

/** Returns the codenames of active staff by id; the viewer's is null. The lazy tools fetch them, after the first rows. */
export function useCodenames(): ReadonlyMap<string, string | null> {
  const { id } = useAdmin();
  const teammates = useCached<readonly Colleague[]>(['teammates']);
  return useMemo(() => {
    const names = new Map<string, string | null>(
      teammates?.map((each) => [each.id, each.codename]),
    );
    return names.set(id, null);
  }, [id, teammates]);
}
