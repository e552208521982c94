/** Pixels between an overlay and the window's edge. */
const EDGE_PX = 8;
/** The minimum height of a scrolling overlay. If neither side has that much room, it covers its anchor. */
const LEAST_HEIGHT_PX = 120;

/** The position of an overlay relative to its anchor. */
export interface Placement {
  side: 'above' | 'below';
  /** Which edges align, in text direction. */
  align: 'start' | 'center' | 'end';
  /** Pixels between the overlay and its anchor. */
  gap: number;
}

/** An overlay's vertical position and the height available there. */
interface Room {
  top: number;
  maxHeight: number;
}

/** Picks the preferred side if the overlay fits there, the other side if it fits only there, otherwise the larger side. */
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
 * Keeps a fixed top-layer overlay next to its anchor while either moves or resizes. It flips to the other side if it doesn't fit,
 * scrolls if it fits on neither, and always stays inside the window. Returns a function that stops this.
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
