import { keepPlaced, type Placement } from './place-overlay.ts';

const PLACEMENT: Placement = { side: 'below', align: 'center', gap: 6 };

/** Shows a text beside a control, in the top layer so that no panel clips it. Returns how to take it away. */
export function showBubble(anchor: HTMLElement, text: string): () => void {
  const bubble = document.createElement('span');
  bubble.popover = 'manual';
  bubble.ariaHidden = 'true';
  bubble.textContent = text;
  bubble.className =
    'pointer-events-none fixed right-auto m-0 max-w-64 rounded-chip bg-fg px-2 py-1 text-meta font-medium text-surface shadow-overlay';
  let stop: (() => void) | undefined;
  // A frame later: the focus may have come here by another popover's closing, and until that is done none may open.
  const frame = requestAnimationFrame(() => {
    if (!anchor.isConnected) return;
    document.body.append(bubble);
    bubble.showPopover();
    stop = keepPlaced(bubble, anchor, PLACEMENT);
  });
  return () => {
    cancelAnimationFrame(frame);
    stop?.();
    bubble.remove();
  };
}
