import {
  createPlatformKey,
  listPlatformKeys,
  revokePlatformKey,
} from '@stagedoor/contract/platform/platform-keys';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';
import { whenConfirmed } from '../../team/passkeys/queries.ts';

/** The keys, the newest first, and whether the settings hold one more. Nothing tells of changes: each opening asks again. */
export const keysOptions = queryOptions({
  queryKey: ['platform', 'keys'],
  queryFn: ({ signal }) => call(listPlatformKeys, { signal }),
  staleTime: 0,
});

/** Makes a key of a name. The answer alone holds the key, and is forgotten with the component that asked. */
export function useCreateKey() {
  const client = useQueryClient();
  return useMutation({
    gcTime: 0,
    mutationFn: async (name: string) =>
      (await whenConfirmed(() => call(createPlatformKey, { body: { name } }))).data,
    // After a failure too: an answer may be lost on its way, and the key be there.
    onSettled: () => void client.invalidateQueries({ queryKey: keysOptions.queryKey }),
  });
}

/** Revokes the key of an id. */
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
