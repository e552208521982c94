import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { createPortal } from 'react-dom';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../classes.ts';
import { IconButton } from '../icon-button.tsx';
import { useOutsideClick } from './use-outside-click.ts';

interface DialogProps {
  title: string;
  subtitle?: string | undefined;
  onClose: () => void;
  children: ReactNode;
  /** Stays in view below the scrolling content. */
  footer?: ReactNode;
  isWide?: boolean;
}

/**
 * A modal dialog, on a phone a sheet from the bottom. Escape, a click outside or its own buttons close it, and the focus returns
 * to where it was. Rendered into the body, because inside a hidden element it would make the page inert without being visible.
 */
export function Dialog(props: DialogProps) {
  const { title, subtitle, onClose, children, footer, isWide = false } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const outsideClick = useOutsideClick(onClose);
  const titleId = useId();
  const subtitleId = useId();
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    const stop = dialog.current ? focusFirstField(dialog.current) : undefined;
    return () => {
      stop?.();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return createPortal(
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      aria-describedby={subtitle === undefined ? undefined : subtitleId}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      onClose={(event) => {
        if (event.target === event.currentTarget) reopen(event.currentTarget);
      }}
      {...outsideClick}
      className={classes(
        'm-auto max-w-[calc(100vw-32px)] animate-overlay rounded-dialog border border-line bg-surface p-0 text-fg shadow-overlay backdrop:bg-[#0007] open:flex max-h-[85dvh] flex-col overflow-hidden',
        isWide ? 'w-[640px]' : 'w-[480px]',
        'max-md:mx-0 max-md:mb-0 max-md:w-full max-md:max-w-full max-md:rounded-b-none max-md:border-x-0 max-md:border-b-0',
      )}
    >
      <header className="flex shrink-0 items-start gap-3 px-5 pt-4 pb-2">
        <div className="min-w-0 flex-1">
          <h2 id={titleId} className="text-title font-semibold tracking-tight">
            {title}
          </h2>
          {subtitle !== undefined && (
            <p id={subtitleId} className="text-control wrap-break-word text-fg-3">
              {subtitle}
            </p>
          )}
        </div>
        <IconButton
          label={t('Close Dialog')}
          onClick={onClose}
          className="-me-2 -mt-1"
          icon={<X />}
        />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 pt-1 pb-4">
        {children}
      </div>
      {footer && (
        <footer className="flex shrink-0 flex-wrap justify-end gap-2 border-t border-line px-5 pt-3 pb-[max(12px,env(safe-area-inset-bottom))] max-md:[&>button]:flex-1">
          {footer}
        </footer>
      )}
    </dialog>,
    document.body,
  );
}

const FIELD = 'input:enabled:not([type="file"]), select:enabled, textarea:enabled';

/**
 * Focuses a dialog's first field as soon as there is one, unless the focus has moved since. Does nothing on touch devices, where
 * this would open the keyboard. Returns a function that stops waiting for a field.
 */
function focusFirstField(dialog: HTMLDialogElement): (() => void) | undefined {
  const begin = document.activeElement;
  if (begin?.hasAttribute('autofocus') || matchMedia('(pointer: coarse)').matches) return;
  const observer = new MutationObserver(update);
  function update(): void {
    const field = dialog.querySelector<HTMLElement>(FIELD);
    const group = field?.matches('[type="radio"]') ? `[name="${field.getAttribute('name')}"]` : '';
    const chosen = group && dialog.querySelector<HTMLElement>(`${group}:checked`);
    if (document.activeElement === begin) (chosen || field)?.focus();
    if (document.activeElement !== begin) observer.disconnect();
  }
  observer.observe(dialog, { childList: true, subtree: true });
  update();
  return () => observer.disconnect();
}

/**
 * Reopens a dialog that the browser closed, below the dialogs opened after it. Browsers close a dialog after repeated Escapes, even
 * if the page prevents it.
 */
function reopen(dialog: HTMLDialogElement): void {
  if (dialog.open) return;
  dialog.showModal();
  for (const other of document.querySelectorAll<HTMLDialogElement>('dialog[open]')) {
    const isLater = dialog.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;
    if (!isLater) continue;
    other.close();
    other.showModal();
  }
}
