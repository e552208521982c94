import { KEY_NAME_MAX_CHARS } from '@stagedoor/contract/platform/platform-keys';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { ApiError } from '../../lib/server/api.ts';
import { passkeyErrorText } from '../../lib/server/webauthn.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { useCreateKey } from './keys-queries.ts';
import { type MadeKey, ShownKey } from './shown-key.tsx';
import { useRecheck } from './use-recheck.ts';

/** The dialog to name a new key. It then shows the key once. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<MadeKey | null>(null);
  if (made !== null) return <ShownKey made={made} onClose={onClose} />;
  return <KeyForm onMade={setMade} onClose={onClose} />;
}

function KeyForm({ onMade, onClose }: { onMade: (made: MadeKey) => void; onClose: () => void }) {
  const [name, setName] = useState('');
  const [isMissing, setMissing] = useState(false);
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const create = useCreateKey();
  useRecheck(create.error);
  const field = () => form.current?.querySelector('input');
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  const objection = create.error instanceof ApiError ? create.error.fields.name : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (create.isPending) return;
    setMissing(name.trim() === '');
    if (name.trim() === '') return field()?.focus();
    create.mutate(name.trim(), { onSuccess: onMade, onError: () => field()?.focus() });
  };
  // The dialog can't be closed while the key is being created, because the key is only shown here.
  const close = () => {
    if (!create.isPending) onClose();
  };
  return (
    <Dialog
      title={t('New Key')}
      subtitle={t('Lets a program use the platform API')}
      onClose={close}
      footer={
        <>
          <Button onClick={close}>{t('Cancel')}</Button>
          <Button variant="primary" type="submit" form={formId} busy={create.isPending}>
            {t('Create Key')}
          </Button>
        </>
      }
    >
      <form id={formId} ref={form} noValidate onSubmit={submit} className="flex flex-col gap-3">
        {create.error && objection === undefined && (
          <ErrorBox text={passkeyErrorText(create.error, t('Couldn’t create the key'))} />
        )}
        <TextField
          label={t('Name')}
          autoComplete="off"
          placeholder={t('Fan app, production')}
          maxLength={KEY_NAME_MAX_CHARS}
          value={name}
          readOnly={create.isPending}
          error={isMissing ? t('Enter a name') : objection}
          onChange={(event) => {
            setName(event.target.value);
            setMissing(false);
            if (create.isError) create.reset();
          }}
        />
        <p className="text-meta text-fg-3">
          {t('Use one key per program, so that you can revoke one without stopping the others.')}
        </p>
      </form>
    </Dialog>
  );
}
