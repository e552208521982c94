import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useCommands } from '../../lib/commands.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../button.tsx';
import { classes } from '../classes.ts';
import { IconButton } from '../icon-button.tsx';
import { Kbd } from '../kbd.tsx';
import { hideProblem, hideToast, type Problem, type Toast, useToasts } from './toast.ts';

const STAYS_MS = 6_000;

/**
 * Shows the toast, with problems above it: in the page's slot for them, otherwise over the page, centered between
 * `--toasts-start` and the end. Z runs the toast's Undo.
 */
export function Toaster() {
  const { slot, toast, problems } = useToasts();
  const place = slot === null || slot.closest('[inert]') ? null : slot;
  const boxes = (
    <div
      role="status"
      className={classes(
        'pointer-events-none flex flex-col items-center gap-2 px-4',
        place
          ? 'not-empty:pt-1 not-empty:pb-2'
          : 'fixed start-[var(--toasts-start,0px)] end-0 bottom-[max(96px,env(safe-area-inset-bottom))] z-50',
      )}
    >
      {problems.map((problem) => (
        <ProblemBox key={problem.key} problem={problem} />
      ))}
      {toast && <ToastBox toast={toast} />}
    </div>
  );
  return place ? createPortal(boxes, place) : boxes;
}

function ToastBox({ toast }: { toast: Toast }) {
  useEffect(() => {
    const timer = setTimeout(() => hideToast(toast), STAYS_MS);
    return () => clearTimeout(timer);
  }, [toast]);
  const { goBack, ...focus } = useFocusBefore();
  const undo = () => {
    hideToast(toast);
    toast.onUndo?.();
    goBack();
  };
  useCommands([
    {
      id: 'undo',
      title: t('Undo'),
      section: t('General'),
      keys: ['z'],
      run: undo,
      enabled: toast.onUndo !== undefined,
    },
  ]);
  return (
    <Box>
      {toast.text}
      {toast.onUndo && (
        <Button
          variant="ghost"
          aria-keyshortcuts="Z"
          onClick={undo}
          {...focus}
          className="text-accent-text!"
        >
          {t('Undo')}
          <span aria-hidden="true" className="coarse:hidden">
            <Kbd>Z</Kbd>
          </span>
        </Button>
      )}
    </Box>
  );
}

function ProblemBox({ problem }: { problem: Problem }) {
  const { key, text, onRetry } = problem;
  const isPassing = onRetry === undefined;
  useEffect(() => {
    if (!isPassing) return;
    const timer = setTimeout(hideProblem, STAYS_MS, key);
    return () => clearTimeout(timer);
  }, [problem, key, isPassing]);
  const { goBack, ...focus } = useFocusBefore();
  const close = () => {
    hideProblem(key);
    goBack();
  };
  return (
    <Box>
      <span className="text-danger-text">{text}</span>
      {onRetry && (
        <>
          <Button
            variant="ghost"
            onClick={() => {
              close();
              onRetry();
            }}
            {...focus}
            className="text-accent-text!"
          >
            {t('Retry')}
          </Button>
          <IconButton label={t('Dismiss')} onClick={close} {...focus} icon={<X />} />
        </>
      )}
    </Box>
  );
}

function Box({ children }: { children: ReactNode }) {
  return (
    <div className="pointer-events-auto flex min-h-11 animate-overlay items-center gap-3 rounded-card border border-line bg-surface py-1 pe-1.5 ps-3.5 text-control shadow-overlay">
      {children}
    </div>
  );
}

/** Remembers what had the focus before a button that disappears when it is clicked. `goBack` returns the focus. */
function useFocusBefore() {
  const cameFrom = useRef<EventTarget | null>(null);
  return {
    onFocus: ({ relatedTarget }: { relatedTarget: EventTarget | null }) => {
      cameFrom.current = relatedTarget;
    },
    onBlur: () => {
      cameFrom.current = null;
    },
    goBack: () => {
      if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus();
    },
  };
}
