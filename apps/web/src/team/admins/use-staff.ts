import {
  type AdminRecord,
  addAdmin,
  type NewAdmin,
  removeAdmin,
} from '@stagedoor/contract/team/admins';
import { useMutation, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { ApiError, call, errorText } from '../../lib/server/api.ts';
import { passkeyErrorText } from '../../lib/server/webauthn.ts';
import { t } from '../../lib/text/i18n.ts';
import { recheckAdmin } from '../auth/queries.ts';
import { whenConfirmed } from '../passkeys/queries.ts';
import { type PrivilegesChange, putAdmin, withPrivileges } from './cache.ts';
import { useNotices } from './notices.tsx';
import { adminsErrorText, adminsOptions } from './queries.ts';

const ADDED_STAYS_MS = 5_000;
const REMOVED_STAYS_MS = 3_000;

/** Returns a function that updates the cached list. */
export function useListUpdate() {
  const client = useQueryClient();
  return useCallback(
    (update: (list: readonly AdminRecord[]) => AdminRecord[]) =>
      client.setQueryData(adminsOptions.queryKey, (list) => list && update(list)),
    [client],
  );
}

/** Returns the staff list with its actions and notices. */
export function useStaff() {
  const client = useQueryClient();
  const list = useQuery(adminsOptions);
  const changes = useMutationState({
    filters: { mutationKey: ['admins', 'privileges'], status: 'pending' },
    select: ({ state }) => state.variables as PrivilegesChange,
  });
  const stored = list.data;
  const admins = useMemo(() => stored && withPrivileges(stored, changes), [stored, changes]);
  const notices = useNotices();
  const update = useListUpdate();
  const { fail, succeed } = notices;

  /** Reports a failure. @param text the error to show; null for a background fetch, which shows none */
  const failed = useCallback(
    (error: unknown, text: string | null) => {
      if (text !== null) fail(text);
      // A permission error means that the permission has been revoked.
      if (error instanceof ApiError && error.code === 'permission_required') recheckAdmin(client);
    },
    [client, fail],
  );

  const { error: loadError } = list;
  const isLoaded = stored !== undefined;
  useEffect(() => {
    if (loadError !== null) failed(loadError, isLoaded ? null : adminsErrorText(loadError));
  }, [loadError, isLoaded, failed]);

  const adding = {
    mutationFn: async (body: NewAdmin) =>
      (await whenConfirmed(() => call(addAdmin, { body }))).data,
    onMutate: () => fail(null),
    onSuccess: (admin: AdminRecord) => {
      update((admins) => putAdmin(admins, admin));
      succeed(t('Admin {email} added successfully!', { email: admin.email }), ADDED_STAYS_MS);
    },
    onError: (error: Error) => {
      // Field errors are shown at the field.
      if (!(error instanceof ApiError) || error.fields.email === undefined)
        failed(error, passkeyErrorText(error, t('Failed to add admin')));
    },
  };
  const add = useMutation(adding);
  // A separate mutation, so that it doesn't share its pending state with `add`.
  const inviteBack = useMutation(adding);

  const remove = useMutation({
    mutationFn: async ({ id }: AdminRecord) => (await call(removeAdmin, { params: { id } })).data,
    onMutate: () => fail(null),
    onSuccess: (admin) => {
      update((admins) => putAdmin(admins, admin));
      succeed(t('Admin {email} removed successfully', { email: admin.email }), REMOVED_STAYS_MS);
    },
    onError: (error) => failed(error, errorText(error, t('Failed to remove admin'))),
  });

  return { list, admins, notices, failed, add, inviteBack, remove };
}

export type Staff = ReturnType<typeof useStaff>;
