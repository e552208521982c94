import { X } from 'lucide-react';
import { type ReactNode, type Ref, useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useCommands } from '../../lib/commands.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../button.tsx';
import { classes } from '../classes.ts';
import { IconButton } from '../icon-button.tsx';
import { Kbd } from '../kbd.tsx';
import { hideProblem, hideToast, type Problem, type Toast, useToasts } from './toast.ts';

const STAYS_MS = 6_000;
const STEP_MS = 200;

/**
 * Shows the toast, with problems above it: in the page's toast slot if there is one, otherwise over the page, centered between
 * `--toasts-start` and the end. Z runs the toast's Undo.
 */
export function Toaster() {
  const { slot, toast, problems } = useToasts();
  const target = slot === null || slot.closest('[inert]') ? null : slot;
  const boxes = (
    <div
      role="status"
      className={classes(
        'pointer-events-none flex flex-col items-center gap-2 px-4',
        target
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
  return target ? createPortal(boxes, target) : boxes;
}

/** Hides a box's content when its time is up. The countdown pauses while the pointer or the focus is in the box. */
function useEnd<Shown>(shown: Shown, hide: (shown: Shown) => void) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let left = STAYS_MS;
    let last = Date.now();
    const timer = setInterval(() => {
      const now = Date.now();
      if (!box.current?.matches(':hover, :focus-within')) left -= now - last;
      last = now;
      if (left > 0) return;
      clearInterval(timer);
      hide(shown);
    }, STEP_MS);
    return () => clearInterval(timer);
  }, [shown, hide]);
  return box;
}

function ToastBox({ toast }: { toast: Toast }) {
  const box = useEnd(toast, hideToast);
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
    <Box ref={box}>
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

/** Hides a problem, unless it has Retry. */
function hidePassing({ key, onRetry }: Problem): void {
  if (onRetry === undefined) hideProblem(key);
}

function ProblemBox({ problem }: { problem: Problem }) {
  const { key, text, onRetry } = problem;
  const box = useEnd(problem, hidePassing);
  const { goBack, ...focus } = useFocusBefore();
  const close = () => {
    hideProblem(key);
    goBack();
  };
  return (
    <Box ref={box}>
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

function Box({ ref, children }: { ref: Ref<HTMLDivElement>; children: ReactNode }) {
  return (
    <div
      ref={ref}
      className="pointer-events-auto flex min-h-11 animate-overlay items-center gap-3 rounded-card border border-line bg-surface py-1 pe-1.5 ps-3.5 text-control shadow-overlay"
    >
      {children}
    </div>
  );
}

/** Remembers which element had the focus before a button that disappears on click. `goBack` returns the focus to that element. */
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
