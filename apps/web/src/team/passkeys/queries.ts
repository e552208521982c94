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

/** The signed-in admin's own passkeys. Nothing tells of changes: each opening asks again. */
export const passkeysOptions = queryOptions({
  queryKey: ['auth', 'passkeys'],
  queryFn: ({ signal }) => call(listPasskeys, { signal }),
  staleTime: 0,
});

/** Which roles need a passkey, and who is ready for that. */
export const requirementsOptions = queryOptions({
  queryKey: ['auth', 'passkey-requirements'],
  queryFn: async ({ signal }): Promise<PasskeyRequirement[]> =>
    (await call(listPasskeyRequirements, { signal })).data,
  staleTime: 0,
});

/** Does something that may have to be confirmed by a passkey first, which is then asked for. */
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
