import {
  addPasskey,
  type Passkey,
  removePasskey,
  renamePasskey,
  startPasskeyAddition,
} from '@stagedoor/contract/team/passkeys';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';
import { useQueuedMutation } from '../../lib/server/use-queued-mutation.ts';
import { createPasskey } from '../../lib/server/webauthn.ts';
import { passkeysOptions, whenConfirmed } from './queries.ts';

/** Returns a function that updates the cached list. */
function useListUpdate() {
  const client = useQueryClient();
  return (update: (list: readonly Passkey[]) => Passkey[]) =>
    client.setQueryData(
      passkeysOptions.queryKey,
      (reply) => reply && { ...reply, data: update(reply.data) },
    );
}

/** Creates a passkey in this browser and stores it under a name. */
export function useAddPasskey() {
  const update = useListUpdate();
  return useMutation({
    mutationFn: async (name: string) => {
      const { data: options } = await whenConfirmed(() => call(startPasskeyAddition));
      const response = await createPasskey(options);
      return (await call(addPasskey, { body: { name, response } })).data;
    },
    onSuccess: (passkey) => update((list) => [...list, passkey]),
  });
}

export function useRenamePasskey() {
  const update = useListUpdate();
  return useMutation({
    mutationFn: async ({ id, name }: Pick<Passkey, 'id' | 'name'>) =>
      (await call(renamePasskey, { params: { id }, body: { name } })).data,
    onSuccess: (passkey) =>
      update((list) => list.map((known) => (known.id === passkey.id ? passkey : known))),
  });
}

export function useRemovePasskey() {
  const update = useListUpdate();
  return useQueuedMutation(['passkeys'], {
    mutationFn: ({ id }: Passkey) => whenConfirmed(() => call(removePasskey, { params: { id } })),
    onSuccess: (_reply, { id }) => update((list) => list.filter((known) => known.id !== id)),
  });
}
