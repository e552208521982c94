import type { PlatformKey } from '@stagedoor/contract/platform/platform-keys';
import { TriangleAlert } from 'lucide-react';
import { type ClipboardEvent, useEffect, useId, useRef, useState } from 'react';
import { guardLeaving } from '../../lib/leave-guard.ts';
import { t } from '../../lib/text/i18n.ts';
import { useUnloadQuestion } from '../../lib/use-unload-question.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';

export type MadeKey = Pick<PlatformKey, 'name'> & { readonly key: string };

/** A key that was just created. Until it is copied, closing the dialog or leaving the page asks first. */
export function ShownKey({ made, onClose }: { made: MadeKey; onClose: () => void }) {
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
          onCancel={() => setLeaving(null)}
          onConfirm={() => {
            setLeaving(null);
            leaving();
          }}
        />
      )}
    </Dialog>
  );
}
