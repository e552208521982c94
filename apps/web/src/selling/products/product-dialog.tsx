import { type FormEvent, type ReactNode, type RefObject, useId } from 'react';
import { leave } from '../../lib/leave-guard.ts';
import { t } from '../../lib/text/i18n.ts';
import { useUnloadQuestion } from '../../lib/use-unload-question.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { DiscardQuestion } from '../../ui/overlay/discard-question.tsx';

interface ProductDialogProps {
  title: string;
  submitLabel: string;
  form: RefObject<HTMLFormElement | null>;
  isBusy: boolean;
  /** The upload progress in the footer. */
  progress?: ReactNode;
  /** An error that belongs to no field. */
  error: string | undefined;
  /** The question to ask before closing; null if there are no unsaved changes. */
  unsaved: string | null;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog with a product form that asks before unsaved input is lost. */
export function ProductDialog(props: ProductDialogProps) {
  const { title, submitLabel, form, isBusy, progress, error, unsaved, children } = props;
  const { onSubmit, onClose } = props;
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
          {progress}
          <Button onClick={() => leave(onClose, 'product')}>{t('Cancel')}</Button>
          <Button variant="primary" type="submit" form={formId} busy={isBusy}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form
        ref={form}
        id={formId}
        noValidate
        onSubmit={submit}
        className="flex flex-col gap-4 pt-1"
      >
        {children}
        {error !== undefined && <ErrorBox text={error} />}
      </form>
      {unsaved !== null && <DiscardQuestion form="product" text={unsaved} />}
    </Dialog>
  );
}
