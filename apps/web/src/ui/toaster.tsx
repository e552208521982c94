import { useEffect, useRef } from 'react';
import { useCommands } from '../lib/commands.ts';
import { t } from '../lib/i18n.ts';
import { Button } from './button.tsx';
import { Kbd } from './kbd.tsx';
import { showToast, useToast } from './toast.ts';

const STAYS_MS = 6_000;

/** Where toasts show. Z takes back what the shown one tells of. */
export function Toaster() {
  const toast = useToast();
  useEffect(() => {
    if (toast === null) return;
    const timer = setTimeout(() => showToast(null), STAYS_MS);
    return () => clearTimeout(timer);
  }, [toast]);
  const cameFrom = useRef<EventTarget | null>(null);
  const undo = () => {
    showToast(null);
    toast?.onUndo?.();
    // The button that had the focus is gone.
    if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus();
  };
  useCommands([
    {
      id: 'undo',
      title: t('Undo'),
      section: t('General'),
      keys: ['z'],
      run: undo,
      enabled: toast?.onUndo !== undefined,
    },
  ]);
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-[max(96px,env(safe-area-inset-bottom))] z-50 flex justify-center px-4"
    >
      {toast && (
        <div className="pointer-events-auto flex min-h-11 animate-overlay items-center gap-3 rounded-card border border-line bg-surface py-1 pe-1.5 ps-3.5 text-control shadow-overlay">
          {toast.text}
          {toast.onUndo && (
            <Button
              variant="ghost"
              aria-keyshortcuts="Z"
              onClick={undo}
              onFocus={(event) => {
                cameFrom.current = event.relatedTarget;
              }}
              onBlur={() => {
                cameFrom.current = null;
              }}
              className="text-accent-text!"
            >
              {t('Undo')}
              <span aria-hidden="true" className="coarse:hidden">
                <Kbd>Z</Kbd>
              </span>
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
