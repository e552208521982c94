import { PASSKEY_NAME_MAX_CHARS } from '@stagedoor/contract/team/passkeys';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../lib/server/api.ts';
import { passkeyErrorText } from '../../lib/server/webauthn.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { TextField } from '../../ui/form/text-field.tsx';

interface NameFormProps {
  label: string;
  start: string;
  action: string;
  fallback: string;
  error: Error | null;
  busy: boolean;
  onSubmit: (name: string) => void;
  onCancel: () => void;
}

export function NameForm(props: NameFormProps) {
  const { label, start, action, fallback, error, busy, onSubmit, onCancel } = props;
  const [name, setName] = useState(start);
  const [isMissing, setMissing] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const field = form.current?.querySelector('input');
    field?.focus();
    field?.select();
  }, []);
  const objection = error instanceof ApiError ? error.fields.name : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setMissing(name.trim() === '');
    if (name.trim() !== '') onSubmit(name.trim());
    else form.current?.querySelector('input')?.focus();
  };
  return (
    <form
      ref={form}
      noValidate
      onSubmit={submit}
      className="flex flex-col gap-3 rounded-card border border-line bg-bg p-3"
    >
      {error && objection === undefined && <ErrorBox text={passkeyErrorText(error, fallback)} />}
      <TextField
        label={label}
        autoComplete="off"
        maxLength={PASSKEY_NAME_MAX_CHARS}
        value={name}
        readOnly={busy}
        error={isMissing ? t('Enter a name for the passkey') : objection}
        onChange={(event) => {
          setName(event.target.value);
          setMissing(false);
        }}
      />
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>{t('Cancel')}</Button>
        <Button variant="primary" type="submit" busy={busy}>
          {action}
        </Button>
      </div>
    </form>
  );
}
