import type { EndpointReply } from '@stagedoor/contract/endpoint';
import {
  createPlatformKey,
  listPlatformKeys,
  type PlatformKey,
  revokePlatformKey,
} from '@stagedoor/contract/platform/platform-keys';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';
import { whenConfirmed } from '../../team/passkeys/queries.ts';

/**
 * The keys, newest first, and whether the server's settings define an additional key. No event reports changes, so the keys are
 * refetched whenever the page is opened.
 */
export const keysOptions = queryOptions({
  queryKey: ['platform', 'keys'],
  queryFn: ({ signal }) => call(listPlatformKeys, { signal }),
  staleTime: 0,
});

export type PlatformKeys = EndpointReply<typeof listPlatformKeys>;

/** Creates a key. Only this response contains the key, and it is dropped from memory when the component unmounts. */
export function useCreateKey() {
  const client = useQueryClient();
  return useMutation({
    gcTime: 0,
    mutationFn: async (body: Pick<PlatformKey, 'name' | 'scope'>) =>
      (await whenConfirmed(() => call(createPlatformKey, { body }))).data,
    // Also refetches after an error: the key may have been created although the response was lost.
    onSettled: () => void client.invalidateQueries({ queryKey: keysOptions.queryKey }),
  });
}

export function useRevokeKey() {
  const client = useQueryClient();
  const { queryKey } = keysOptions;
  return useMutation({
    mutationFn: async (id: string) => (await call(revokePlatformKey, { params: { id } })).data,
    onSuccess: (revoked) =>
      client.setQueryData(queryKey, (list) => {
        if (!list) return list;
        return { ...list, data: list.data.map((key) => (key.id === revoked.id ? revoked : key)) };
      }),
    onSettled: () => void client.invalidateQueries({ queryKey }),
  });
}
