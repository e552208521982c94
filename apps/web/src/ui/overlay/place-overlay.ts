import { type RefObject, useEffect, useRef } from 'react';

/** Pixels between an overlay and the window's edge. */
const EDGE_PX = 8;
/** An overlay that scrolls keeps at least this height; where neither side has as much, it covers its anchor. */
const LEAST_HEIGHT_PX = 120;

/** Where an overlay belongs, seen from its anchor. */
export interface Placement {
  side: 'above' | 'below';
  /** Which edges meet, along the line of text. */
  align: 'start' | 'center' | 'end';
  /** Pixels between the two. */
  gap: number;
}

/** Vertical position of an overlay, and the height it may take there. */
interface Room {
  top: number;
  maxHeight: number;
}

/** Picks the wanted side where the overlay fits, the other one where only that has room for it, else the larger. */
function roomFor(height: number, at: DOMRect, { side, gap }: Placement): Room {
  const above = at.top - gap - EDGE_PX;
  const below = window.innerHeight - at.bottom - gap - EDGE_PX;
  const [wanted, other] = side === 'above' ? [above, below] : [below, above];
  const isWanted = height <= wanted || (height > other && wanted >= other);
  const isAbove = isWanted === (side === 'above');
  const room = isAbove ? above : below;
  if (room < Math.min(height, LEAST_HEIGHT_PX)) {
    const maxHeight = window.innerHeight - 2 * EDGE_PX;
    const lowest = window.innerHeight - EDGE_PX - Math.min(height, maxHeight);
    return { top: Math.max(EDGE_PX, Math.min(at.bottom + gap, lowest)), maxHeight };
  }
  return {
    top: isAbove ? at.top - gap - Math.min(height, room) : at.bottom + gap,
    maxHeight: room,
  };
}

function place(overlay: HTMLElement, anchor: Element, placement: Placement): void {
  const { style } = overlay;
  const scrolled = overlay.scrollTop;
  style.maxHeight = '';
  const { offsetWidth: width, offsetHeight: height } = overlay;
  const at = anchor.getBoundingClientRect();
  const { top, maxHeight } = roomFor(height, at, placement);
  style.maxHeight = `${maxHeight}px`;
  style.top = `${top}px`;
  const isAtLeft = (placement.align === 'start') === (document.dir !== 'rtl');
  const left =
    placement.align === 'center'
      ? at.left + at.width / 2 - width / 2
      : isAtLeft
        ? at.left
        : at.right - width;
  const rightmost = window.innerWidth - width - EDGE_PX;
  style.left = `${Math.max(EDGE_PX, Math.min(left, rightmost))}px`;
  overlay.scrollTop = scrolled;
}

/**
 * Keeps a fixed overlay of the top layer beside its anchor while either moves or changes its size: on the other side where
 * it doesn't fit, scrolling where it fits on neither, and always inside the window. Returns how to stop.
 */
export function keepPlaced(
  overlay: HTMLElement,
  anchor: Element,
  placement: Placement,
): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  const update = () => place(overlay, anchor, placement);
  update();
  const observer = new ResizeObserver(update);
  observer.observe(overlay);
  observer.observe(anchor);
  window.addEventListener('resize', update, { signal });
  const onScroll = ({ target }: Event) => {
    if (target instanceof Node && !overlay.contains(target)) update();
  };
  document.addEventListener('scroll', onScroll, { signal, capture: true, passive: true });
  return () => {
    stopping.abort();
    observer.disconnect();
  };
}

/** Like {@link keepPlaced}, until the next call or unmount. Returns a function that takes the anchor, or null to stop. */
export function usePlacement(
  overlay: RefObject<HTMLElement | null>,
  placement: Placement,
): (anchor: Element | null) => void {
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);
  return (anchor) => {
    stop.current?.();
    stop.current =
      overlay.current && anchor ? keepPlaced(overlay.current, anchor, placement) : undefined;
  };
}
