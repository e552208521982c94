import { rich } from '@stagedoor/browser/rich-text';
import type { Passkey } from '@stagedoor/contract/team/passkeys';
import { useQuery } from '@tanstack/react-query';
import { Info, KeyRound } from 'lucide-react';
import { useState } from 'react';
import { deviceOf } from '../../lib/server/device.ts';
import { passkeyErrorText, stopAsking } from '../../lib/server/webauthn.ts';
import { exactTimeOf, relativeTime } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { useNow } from '../../lib/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { LoadingLine } from '../../ui/loading-line.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { NameForm } from './name-form.tsx';
import { passkeysOptions } from './queries.ts';
import { useAddPasskey, useRemovePasskey, useRenamePasskey } from './use-passkeys.ts';

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
          <Button onClick={onClose}>{t('Close')}</Button>
          {list && isHere && !isAdding && (
            <Button variant="primary" onClick={() => setAdding(true)}>
              {t('Add Passkey')}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {passkeys.isLoadingError && (
          <QueryError query={passkeys} text={t('Couldn’t load passkeys')} />
        )}
        {passkeys.isPending && <LoadingLine text={t('Loading passkeys...')} />}
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
                isRemoving={remove.pending.some(({ id }) => id === passkey.id)}
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
          onClose={() => setRemoving(null)}
          onConfirm={() => remove.mutate(removing)}
        />
      )}
    </Dialog>
  );
}

/**
 * Explains why passkeys don't work at the console's current address.
 * @param origin the address where passkeys work, or null
 */
function WrongAddress({ origin }: { origin: string | null }) {
  return (
    <div
      role="note"
      className="flex gap-2.5 rounded-control border border-line bg-surface-2 px-3 py-2 text-control text-fg-2"
    >
      <Info className="mt-0.5" />
      <p className="min-w-0 wrap-break-word">
        {origin === null
          ? t(
              'Passkeys only work if the console has an HTTPS address with a domain name. The operator of this installation sets it as PUBLIC_URL.',
            )
          : rich('Passkeys don’t work at this address. Sign in at {address} to add or use one.', {
              address: (
                <a href={origin} className="font-medium text-accent-text underline">
                  {origin}
                </a>
              ),
            })}
      </p>
    </div>
  );
}

interface PasskeyRowProps {
  passkey: Passkey;
  isRemoving: boolean;
  /** Whether the passkey can't be removed, because it is the last one and the role requires a passkey. */
  isKept: boolean;
  onRemove: () => void;
}

/** A passkey with its name, its last use and its actions. */
function PasskeyRow({ passkey, isRemoving, isKept, onRemove }: PasskeyRowProps) {
  const now = useNow();
  const rename = useRenamePasskey();
  const [isRenaming, setRenaming] = useState(false);
  const { id, name, created_at, last_used_at, synced } = passkey;
  if (isRenaming) {
    return (
      <li className="py-2">
        <NameForm
          label={t('New name for {name}', { name })}
          start={name}
          action={t('Rename')}
          fallback={t('Couldn’t rename the passkey')}
          error={rename.error}
          busy={rename.isPending}
          onSubmit={(text) =>
            rename.mutate({ id, name: text }, { onSuccess: () => setRenaming(false) })
          }
          onCancel={() => {
            rename.reset();
            setRenaming(false);
          }}
        />
      </li>
    );
  }
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <span
        aria-hidden="true"
        className="inline-flex size-9 shrink-0 items-center justify-center rounded-control bg-surface-2 text-fg-2"
      >
        <KeyRound />
      </span>
      <span className="flex min-w-40 flex-1 flex-col">
        <span title={name} className="truncate font-medium">
          {name}
        </span>
        <span className="text-meta text-fg-3">
          {last_used_at === null ? (
            t('Not used yet')
          ) : (
            <span title={exactTimeOf(last_used_at)}>
              {t('Last used: {when}', { when: relativeTime(last_used_at, now) })}
            </span>
          )}
          {' · '}
          <span title={exactTimeOf(created_at)}>
            {t('Added: {when}', { when: relativeTime(created_at, now) })}
          </span>
          {synced && ` · ${t('Can sync across devices')}`}
        </span>
        {isKept && (
          <span className="text-meta text-fg-3">
            {t('Your role requires a passkey. Add another one first.')}
          </span>
        )}
      </span>
      <span className="ms-auto flex gap-1">
        <Button
          variant="ghost"
          size="small"
          onClick={() => setRenaming(true)}
          aria-label={t('Rename {name}', { name })}
        >
          {t('Rename')}
        </Button>
        {!isKept && (
          <Button
            variant="ghost"
            size="small"
            busy={isRemoving}
            onClick={onRemove}
            aria-label={t('Remove {name}', { name })}
            className="text-danger-text! hover:bg-flagged!"
          >
            {t('Remove')}
          </Button>
        )}
      </span>
    </li>
  );
}
