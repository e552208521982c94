import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { t } from '../lib/i18n.ts';
import { IconButton } from './icon-button.tsx';

interface SheetProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/**
 * A modal dialog: a sheet from the bottom on a phone, centered elsewhere. Escape, a click outside or its own buttons close it,
 * and the focus returns to where it was.
 */
export function Sheet({ title, onClose, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click outside closes the dialog, as Escape does by keyboard
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
      className="m-auto max-h-[85dvh] w-[420px] max-w-[calc(100vw-32px)] animate-sheet overflow-y-auto overscroll-contain rounded-dialog border border-line bg-surface p-0 text-fg shadow-overlay backdrop:bg-[#0d0c1080] max-md:mx-0 max-md:mb-0 max-md:w-full max-md:max-w-full max-md:rounded-b-none max-md:border-x-0 max-md:border-b-0"
    >
      <header className="flex items-center gap-3 pt-3 ps-5 pe-2">
        <h2 id={titleId} className="min-w-0 flex-1 truncate text-title font-semibold">
          {title}
        </h2>
        <IconButton label={t('Close')} onClick={onClose}>
          <X size={20} />
        </IconButton>
      </header>
      <div className="px-5 pt-1 pb-[max(20px,env(safe-area-inset-bottom))]">{children}</div>
    </dialog>
  );
}
