import {
  confirmByPasskey,
  listPasskeyRequirements,
  listPasskeys,
  type PasskeyRequirement,
  startPasskeyConfirmation,
} from '@stagedoor/contract/team/passkeys';
import { queryOptions } from '@tanstack/react-query';
import { ApiError, call } from '../../lib/server/api.ts';
import { askForPasskey } from '../../lib/server/webauthn.ts';

/** The signed-in admin's passkeys. There is no event for changes, so they are refetched on each opening. */
export const passkeysOptions = queryOptions({
  queryKey: ['auth', 'passkeys'],
  queryFn: ({ signal }) => call(listPasskeys, { signal }),
  staleTime: 0,
});

/** For each role, whether it requires a passkey, and how many admins have one. */
export const requirementsOptions = queryOptions({
  queryKey: ['auth', 'requirements'],
  queryFn: async ({ signal }): Promise<PasskeyRequirement[]> =>
    (await call(listPasskeyRequirements, { signal })).data,
  staleTime: 0,
});

/** Runs an action. If the server requires confirmation, asks for the passkey and runs it again. */
export async function whenConfirmed<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'confirmation_required')) throw error;
  }
  const { data } = await call(startPasskeyConfirmation);
  const response = await askForPasskey(data);
  await call(confirmByPasskey, { body: { response } });
  return act();
}
