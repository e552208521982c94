import { type ReactNode, useEffect, useId, useRef } from 'react';
import { createPortal } from 'react-dom';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../button.tsx';

interface ConfirmDialogProps {
  title: string;
  text: ReactNode;
  /** The label of the confirming button, a verb. */
  confirmLabel: string;
  /** Called after `onClose`. */
  onConfirm: () => void;
  onClose: () => void;
}

/**
 * Asks for confirmation before an action. Cancel has the focus, Escape cancels, and the focus returns when the dialog closes.
 */
export function ConfirmDialog({
  title,
  text,
  confirmLabel,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const titleId = useId();
  const textId = useId();
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    cancel.current?.focus();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return createPortal(
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby={titleId}
      aria-describedby={textId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      className="m-auto w-[min(400px,calc(100vw-32px))] animate-overlay rounded-dialog border border-line bg-surface p-5 text-fg shadow-overlay backdrop:bg-[#0007]"
    >
      <h2 id={titleId} className="text-title font-semibold tracking-tight">
        {title}
      </h2>
      <p id={textId} className="mt-1.5 text-fg-2">
        {text}
      </p>
      <div className="mt-5 flex justify-end gap-2">
        <Button ref={cancel} onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button
          variant="danger"
          onClick={() => {
            onClose();
            onConfirm();
          }}
        >
          {confirmLabel}
        </Button>
      </div>
    </dialog>,
    document.body,
  );
}
