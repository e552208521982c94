import { useUnloadQuestion } from '@stagedoor/browser/use-unload-question';
import { KEY_NAME_MAX_CHARS, type PlatformKey } from '@stagedoor/contract/platform/platform-keys';
import { TriangleAlert } from 'lucide-react';
import { type ClipboardEvent, type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { guardLeaving } from '../../lib/leave-guard.ts';
import { ApiError } from '../../lib/server/api.ts';
import { passkeyErrorText } from '../../lib/server/webauthn.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { SelectField } from '../../ui/form/select-field.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { useCreateKey } from './keys-queries.ts';
import { useRecheck } from './use-recheck.ts';

/** The dialog to create a key. It then shows the key once. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<MadeKey | null>(null);
  if (made !== null) return <ShownKey made={made} onClose={onClose} />;
  return <KeyForm onMade={setMade} onClose={onClose} />;
}

function KeyForm({ onMade, onClose }: { onMade: (made: MadeKey) => void; onClose: () => void }) {
  const [name, setName] = useState('');
  const [scope, setScope] = useState<PlatformKey['scope']>('platform');
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
    create.mutate(
      { name: name.trim(), scope },
      { onSuccess: onMade, onError: () => field()?.focus() },
    );
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
        <SelectField
          label={t('Access')}
          value={scope}
          disabled={create.isPending}
          onChange={({ target }) => setScope(target.value as PlatformKey['scope'])}
        >
          <option value="platform">{t('Platform API')}</option>
          <option value="payroll">{t('Pay periods only')}</option>
        </SelectField>
        <p className="text-meta text-fg-3">
          {t('Use one key per program, so that you can revoke one without stopping the others.')}
        </p>
      </form>
    </Dialog>
  );
}

type MadeKey = Pick<PlatformKey, 'name'> & { readonly key: string };

/** A key that was just created. Until it is copied, closing the dialog or leaving the page asks first. */
function ShownKey({ made, onClose }: { made: MadeKey; onClose: () => void }) {
  const [isCopied, setCopied] = useState(false);
  const [isRefused, setRefused] = useState(false);
  /** The action that waits for the confirmation. */
  const [leaving, setLeaving] = useState<(() => void) | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const fieldId = useId();
  useUnloadQuestion(!isCopied);
  useEffect(() => {
    if (isCopied) return;
    return guardLeaving({
      form: 'shown-key',
      text: made.name,
      ask: (_texts, go) => setLeaving(() => go),
    });
  }, [isCopied, made.name]);
  useEffect(() => field.current?.focus(), []);
  const close = () => (isCopied ? onClose() : setLeaving(() => onClose));
  const onCopy = (copied: boolean) => {
    setRefused(!copied);
    if (copied) setCopied(true);
    else field.current?.focus();
  };
  const onOwnCopy = ({
    currentTarget: { selectionStart, selectionEnd },
  }: ClipboardEvent<HTMLTextAreaElement>) => {
    if (selectionEnd - selectionStart === made.key.length) setCopied(true);
  };
  return (
    <Dialog
      title={t('Copy the New Key')}
      subtitle={made.name}
      onClose={close}
      footer={
        <Button variant={isCopied ? 'primary' : 'secondary'} onClick={close}>
          {t('Done')}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <p
          id={`${fieldId}-warning`}
          className="flex items-start gap-2 rounded-control bg-warn-bg px-3 py-2 text-control text-warn"
        >
          <TriangleAlert className="mt-0.5" />
          <span>
            {t(
              'This key is shown only once. Copy it now and store it safely: no one can look it up later.',
            )}
          </span>
        </p>
        <div className="flex flex-col gap-1">
          <label htmlFor={fieldId} className="text-meta font-medium text-fg-2">
            {t('Platform key')}
          </label>
          <textarea
            ref={field}
            id={fieldId}
            aria-describedby={`${fieldId}-warning`}
            dir="ltr"
            readOnly
            rows={2}
            spellCheck={false}
            value={made.key}
            onFocus={(event) => event.currentTarget.select()}
            onCopy={onOwnCopy}
            className="w-full resize-none rounded-control field-sizing-content border border-control bg-bg px-2.5 py-1.5 font-mono text-control break-all focus-visible:outline-offset-0"
          />
        </div>
        {isRefused && (
          <ErrorBox
            text={t(
              'The browser blocked copying. The key is selected: copy it with the keyboard or the context menu.',
            )}
          />
        )}
        <CopyButton
          variant={isCopied ? 'secondary' : 'primary'}
          text={made.key}
          label={t('Copy Key')}
          onCopy={onCopy}
          className="self-start"
        />
      </div>
      {leaving && (
        <ConfirmDialog
          title={t('Close without copying?')}
          text={t(
            'The key hasn’t been copied and won’t be shown again. If you lose it, you can only revoke it.',
          )}
          confirmLabel={t('Close Anyway')}
          onClose={() => setLeaving(null)}
          onConfirm={leaving}
        />
      )}
    </Dialog>
  );
}
