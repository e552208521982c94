import { useUnloadQuestion } from '@stagedoor/browser/use-unload-question';
import { type FormEvent, type ReactNode, useId } from 'react';
import { leave } from '../../lib/leave-guard.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { DiscardQuestion } from '../../ui/overlay/discard-question.tsx';
import type { useProductForm } from './use-product-form.ts';

interface ProductDialogProps {
  title: string;
  submitLabel: string;
  form: Pick<ReturnType<typeof useProductForm>, 'form' | 'errors'>;
  /** Whether the product is being saved. A number is the uploaded fraction, from 0 to 1. */
  busy: boolean | number;
  /** The question to ask before closing; null if there are no unsaved changes. */
  unsaved: string | null;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog with a product form that asks before unsaved input is lost. */
export function ProductDialog(props: ProductDialogProps) {
  const { title, submitLabel, form, busy, unsaved, onSubmit, onClose, children } = props;
  const isBusy = busy !== false;
  const formId = useId();
  useUnloadQuestion(unsaved !== null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) onSubmit();
  };
  return (
    <Dialog
      title={title}
      onClose={() => leave(onClose, 'product')}
      footer={
        <>
          {typeof busy === 'number' && <UploadProgress progress={busy} />}
          <Button onClick={() => leave(onClose, 'product')}>{t('Cancel')}</Button>
          <Button variant="primary" type="submit" form={formId} busy={isBusy}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form
        ref={form.form}
        id={formId}
        noValidate
        onSubmit={submit}
        className="flex flex-col gap-4 pt-1"
      >
        {children}
        {form.errors.form !== undefined && <ErrorBox text={form.errors.form} />}
      </form>
      {unsaved !== null && <DiscardQuestion form="product" text={unsaved} />}
    </Dialog>
  );
}

function UploadProgress({ progress }: { progress: number }) {
  const percent = Math.floor(progress * 100);
  return (
    <div className="me-auto flex min-w-0 flex-1 items-center gap-2.5 text-meta text-fg-2">
      <progress aria-label={t('Upload')} value={progress} max={1} className="sr-only" />
      <span
        aria-hidden="true"
        className="h-1 min-w-10 flex-1 overflow-hidden rounded-full bg-surface-2"
      >
        <span style={{ width: `${percent}%` }} className="block h-full rounded-full bg-accent" />
      </span>
      <span className="min-w-24 shrink-0 tabular-nums">
        {progress < 1 ? t('Uploading {percent}%', { percent }) : t('Processing...')}
      </span>
    </div>
  );
}
