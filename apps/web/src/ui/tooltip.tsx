import {
  cloneElement,
  type HTMLAttributes,
  type ReactElement,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';

/** A pointer that only passes by opens nothing. */
const HOVER_DELAY_MS = 350;
const GAP_PX = 6;
const EDGE_PX = 8;

interface TooltipProps {
  text: string;
  /** Whether the text says more than the control's name does; where it repeats the name, screen readers need it once. */
  describes?: boolean;
  children: ReactElement<HTMLAttributes<HTMLElement>>;
}

/** A short text about a control, while it is hovered or has the keyboard's focus. Escape closes it. */
export function Tooltip({ text, describes = true, children }: TooltipProps) {
  const id = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const close = () => {
    clearTimeout(timer.current);
    setAnchor(null);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const own = children.props;
  return (
    <>
      {cloneElement(children, {
        ...(describes ? { 'aria-describedby': id } : {}),
        onPointerEnter: (event) => {
          own.onPointerEnter?.(event);
          const target = event.currentTarget;
          if (event.pointerType === 'mouse')
            timer.current = setTimeout(() => setAnchor(target), HOVER_DELAY_MS);
        },
        onPointerLeave: (event) => {
          own.onPointerLeave?.(event);
          close();
        },
        onPointerDown: (event) => {
          own.onPointerDown?.(event);
          close();
        },
        onFocus: (event) => {
          own.onFocus?.(event);
          if (event.currentTarget.matches(':focus-visible')) setAnchor(event.currentTarget);
        },
        onBlur: (event) => {
          own.onBlur?.(event);
          close();
        },
        onKeyDown: (event) => {
          own.onKeyDown?.(event);
          if (event.key === 'Escape') close();
        },
      })}
      {describes && (
        <span id={id} hidden>
          {text}
        </span>
      )}
      {anchor && <Bubble anchor={anchor} text={text} />}
    </>
  );
}

/** Lies in the top layer, so that no panel clips it. */
function Bubble({ anchor, text }: { anchor: HTMLElement; text: string }) {
  const bubble = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    // A frame later: the focus may have come here by another popover's closing, and until that is done none may open.
    const frame = requestAnimationFrame(() => {
      if (bubble.current && anchor.isConnected) show(bubble.current, anchor);
    });
    return () => cancelAnimationFrame(frame);
  }, [anchor]);
  return (
    <span
      ref={bubble}
      popover="manual"
      aria-hidden="true"
      className="pointer-events-none fixed right-auto m-0 max-w-64 rounded-chip bg-fg px-2 py-1 text-meta font-medium text-surface shadow-overlay"
    >
      {text}
    </span>
  );
}

function show(bubble: HTMLElement, anchor: HTMLElement): void {
  bubble.showPopover();
  const at = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = bubble;
  const left = at.left + at.width / 2 - width / 2;
  const below = at.bottom + GAP_PX;
  const fitsBelow = below + height < window.innerHeight - EDGE_PX;
  bubble.style.left = `${Math.max(EDGE_PX, Math.min(left, window.innerWidth - width - EDGE_PX))}px`;
  bubble.style.top = `${fitsBelow ? below : at.top - height - GAP_PX}px`;
}
