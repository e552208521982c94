import type { Passkey } from '@stagedoor/contract/team/passkeys';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { exactTimeOf, relativeTime } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { useNow } from '../../lib/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { NameForm } from './name-form.tsx';
import { useRenamePasskey } from './use-passkeys.ts';

interface PasskeyRowProps {
  passkey: Passkey;
  isRemoving: boolean;
  /** Whether it can't be removed, because it is the last one and the role requires one. */
  isKept: boolean;
  onRemove: () => void;
}

/** A passkey with its name, its last use and its actions. */
export function PasskeyRow({ passkey, isRemoving, isKept, onRemove }: PasskeyRowProps) {
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
          {synced && ` · ${t('On several devices')}`}
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
