import type { Passkey } from '@stagedoor/contract/team/passkeys';
import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { errorText } from '../../lib/server/api.ts';
import { deviceOf } from '../../lib/server/device.ts';
import { passkeyErrorText, stopAsking } from '../../lib/server/webauthn.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { NameForm } from './name-form.tsx';
import { PasskeyRow } from './passkey-row.tsx';
import { passkeysOptions } from './queries.ts';
import { useAddPasskey, useRemovePasskey } from './use-passkeys.ts';
import { WrongAddress } from './wrong-address.tsx';

/** The dialog to add, rename and remove the admin's own passkeys. */
export function PasskeysDialog({ onClose }: { onClose: () => void }) {
  const passkeys = useQuery(passkeysOptions);
  const add = useAddPasskey();
  const remove = useRemovePasskey();
  const [isAdding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const { data: list, origin = null, required = false } = passkeys.data ?? {};
  const isHere = origin === window.location.origin;
  return (
    <Dialog
      title={t('Passkeys')}
      subtitle={t('A second step when you sign in')}
      onClose={onClose}
      footer={
        <>
          {list && isHere && !isAdding && (
            <Button variant="primary" onClick={() => setAdding(true)} className="me-auto">
              {t('Add Passkey')}
            </Button>
          )}
          <Button onClick={onClose}>{t('Close')}</Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {list === undefined && passkeys.isError && !passkeys.isFetching && (
          <ErrorBox
            text={errorText(passkeys.error, t('Couldn’t load passkeys'))}
            onRetry={() => void passkeys.refetch()}
          />
        )}
        {list === undefined && passkeys.isFetching && (
          <p role="status" className="flex items-center gap-2 py-4 text-control text-fg-3">
            <Spinner /> {t('Loading passkeys...')}
          </p>
        )}
        {list && !isHere && <WrongAddress origin={origin} />}
        {remove.error && (
          <ErrorBox text={passkeyErrorText(remove.error, t('Couldn’t remove the passkey'))} />
        )}
        {list && list.length > 0 && (
          <ul aria-label={t('Passkeys')} className="flex flex-col divide-y divide-line">
            {list.map((passkey) => (
              <PasskeyRow
                key={passkey.id}
                passkey={passkey}
                isRemoving={remove.isPending && remove.variables.id === passkey.id}
                isKept={required && list.length === 1}
                onRemove={() => setRemoving(passkey)}
              />
            ))}
          </ul>
        )}
        {list?.length === 0 && isHere && !isAdding && (
          <EmptyState
            icon={<KeyRound size={22} />}
            title={t('No passkeys yet')}
            text={t(
              'With a passkey, you sign in with the emailed code and your fingerprint, face or PIN. The code alone is not enough.',
            )}
          />
        )}
        {isAdding && (
          <NameForm
            label={t('New passkey name')}
            start={deviceOf(navigator.userAgent).name}
            action={t('Continue')}
            fallback={t('Couldn’t add the passkey')}
            error={add.error}
            busy={add.isPending}
            onSubmit={(name) => add.mutate(name, { onSuccess: () => setAdding(false) })}
            onCancel={() => {
              stopAsking();
              add.reset();
              setAdding(false);
            }}
          />
        )}
      </div>
      {removing && (
        <ConfirmDialog
          title={t('Remove Passkey')}
          text={
            list?.length === 1
              ? t(
                  'Remove “{name}”? Other sessions opened with it will end. This is your last passkey: you will sign in with the emailed code alone.',
                  { name: removing.name },
                )
              : t(
                  'Remove “{name}”? Other sessions opened with it will end. Your other passkeys will keep working.',
                  { name: removing.name },
                )
          }
          confirmLabel={t('Remove')}
          onCancel={() => setRemoving(null)}
          onConfirm={() => {
            setRemoving(null);
            if (!remove.isPending) remove.mutate(removing);
          }}
        />
      )}
    </Dialog>
  );
}
