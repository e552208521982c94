import type { AdminRecord } from '@stagedoor/contract/team/admins';
import { resetPasskeys } from '@stagedoor/contract/team/passkeys';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../lib/server/api.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { passkeyErrorText } from '../../lib/server/webauthn.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { whenConfirmed } from '../passkeys/queries.ts';
import { putAdmin } from './cache.ts';
import { adminsOptions } from './queries.ts';
import { useListUpdate } from './use-staff.ts';

/** The number of a teammate's passkeys, and a reset for lost ones. */
export function PasskeyReset({ admin }: { admin: AdminRecord }) {
  const [isAsking, setAsking] = useState(false);
  const update = useListUpdate();
  // There is no event for passkey changes.
  const { data: list } = useQuery({ ...adminsOptions, refetchOnMount: 'always' });
  const reset = useMutation({
    mutationFn: async () =>
      (await whenConfirmed(() => call(resetPasskeys, { params: { id: admin.id } }))).data,
    onSuccess: (stored) => {
      update((known) => putAdmin(known, stored));
    },
  });
  const { email } = admin;
  const me = useAdmin();
  // Offers the reset until the list is loaded. The server refuses it if the viewer has no passkey to confirm it with.
  const canConfirm = list?.find(({ id }) => id === me.id)?.passkeys !== 0;
  const { passkeys } = list?.find(({ id }) => id === admin.id) ?? admin;
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-3">
      {reset.error && (
        <ErrorBox text={passkeyErrorText(reset.error, t('Couldn’t reset the passkeys'))} />
      )}
      <div className="flex min-h-8 items-center justify-between gap-3">
        <span className="flex flex-col">
          <span className="text-meta font-medium text-fg-2">{t('Passkeys')}</span>
          <span role="status" className="text-control">
            {reset.isSuccess && `${t('Reset.')} `}
            {passkeys === 0 ? t('None', 'passkeys') : passkeys}
          </span>
        </span>
        {passkeys > 0 && !canConfirm && (
          <p className="text-end text-meta text-fg-3">
            {t('To reset these passkeys, first add one to your own account.')}
          </p>
        )}
        {passkeys > 0 && canConfirm && (
          <Button
            busy={reset.isPending}
            onClick={() => setAsking(true)}
            className="text-danger-text!"
          >
            {t('Reset Passkeys')}
          </Button>
        )}
      </div>
      {isAsking && (
        <ConfirmDialog
          title={t('Reset Passkeys')}
          text={t(
            'Remove all of {email}’s passkeys? The admin will be signed out everywhere and notified by email. Make sure that they really asked for this.',
            { email },
          )}
          confirmLabel={t('Reset')}
          onClose={() => setAsking(false)}
          onConfirm={() => reset.mutate()}
        />
      )}
    </div>
  );
}
