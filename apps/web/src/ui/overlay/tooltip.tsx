import {
  cloneElement,
  type HTMLAttributes,
  type ReactElement,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';

/** The delay before a tooltip opens, so that a passing pointer doesn't open it. Milliseconds. */
const HOVER_DELAY_MS = 350;

interface TooltipProps {
  text: string;
  /** Whether the text says more than the control's name. If it only repeats the name, screen readers skip it. */
  describes?: boolean;
  children: ReactElement<HTMLAttributes<HTMLElement>>;
}

/** A short text about a control, shown on hover and keyboard focus. Escape closes it. */
export function Tooltip({ text, describes = true, children }: TooltipProps) {
  const id = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** Set once the pointer has moved over the control or pressed it. Until it leaves, more movement doesn't open the tooltip. */
  const wasPointedAt = useRef(false);
  const close = () => {
    clearTimeout(timer.current);
    setAnchor(null);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (anchor === null) return;
    let isOver = false;
    let hide: (() => void) | undefined;
    import('./tooltip-bubble.ts').then(
      ({ showBubble }) => {
        if (!isOver) hide = showBubble(anchor, text);
      },
      (error: unknown) => console.error('Failed to show a tooltip', error),
    );
    return () => {
      isOver = true;
      hide?.();
    };
  }, [anchor, text]);
  const own = children.props;
  return (
    <>
      {cloneElement(children, {
        ...(describes ? { 'aria-describedby': id } : {}),
        onPointerMove: (event) => {
          own.onPointerMove?.(event);
          const { currentTarget, pointerType, movementX, movementY } = event;
          // A layout change may move a control under a resting pointer.
          const isStill = movementX === 0 && movementY === 0;
          if (pointerType !== 'mouse' || wasPointedAt.current || isStill) return;
          wasPointedAt.current = true;
          timer.current = setTimeout(() => setAnchor(currentTarget), HOVER_DELAY_MS);
        },
        onPointerLeave: (event) => {
          own.onPointerLeave?.(event);
          wasPointedAt.current = false;
          close();
        },
        onPointerDown: (event) => {
          own.onPointerDown?.(event);
          wasPointedAt.current = true;
          close();
        },
        onFocus: (event) => {
          own.onFocus?.(event);
          if (isMovingFocus()) setAnchor(event.currentTarget);
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
    </>
  );
}

/** Keys that move the focus. */
const FOCUS_KEYS = /^(Tab|Arrow(Up|Down|Left|Right)|Home|End)$/;

let isDown = false;

if (typeof document !== 'undefined') {
  const options = { capture: true, passive: true };
  const onKey = ({ type, key }: KeyboardEvent) => {
    isDown = type === 'keydown' && FOCUS_KEYS.test(key);
  };
  document.addEventListener('keydown', onKey, options);
  document.addEventListener('keyup', onKey, options);
}

/**
 * Returns whether the user is moving the focus with a key right now. `:focus-visible` also matches when code moves the focus
 * after any other key, such as in a dialog opened by a shortcut.
 */
function isMovingFocus(): boolean {
  return isDown;
}
