import type { ServerEvent } from '@stagedoor/contract/realtime';
import type { QueryClient } from '@tanstack/react-query';
import { withAdminUpdated } from '../../team/admins/cache.ts';
import { adminsOptions } from '../../team/admins/queries.ts';

/** Updates an admin in the cached staff list. Refetches the list if the admin is not in it. */
export async function showAdmin(
  client: QueryClient,
  event: ServerEvent<'admin_updated'>,
): Promise<void> {
  const { queryKey } = adminsOptions;
  const list = client.getQueryData(queryKey);
  const next = list && withAdminUpdated(list, event);
  if (next) client.setQueryData(queryKey, next);
  else await client.invalidateQueries({ queryKey });
}
