import { keepPlaced, type Placement } from './place-overlay.ts';

const BELOW: Placement = { side: 'below', align: 'center', gap: 6 };
/** For buttons in dialogs, where a bubble below would cover the content. */
const ABOVE: Placement = { ...BELOW, side: 'above' };

/** Shows a text next to a control, in the top layer so that no panel clips it. Returns a function that removes it. */
export function showBubble(anchor: HTMLElement, text: string): () => void {
  const bubble = document.createElement('span');
  bubble.popover = 'manual';
  bubble.ariaHidden = 'true';
  bubble.textContent = text;
  bubble.className =
    'pointer-events-none fixed right-auto m-0 max-w-64 rounded-chip bg-fg px-2 py-1 text-meta font-medium text-surface shadow-overlay';
  let stop: (() => void) | undefined;
  // Delayed by a frame: if a closing popover moved the focus here, no other popover can open until that one has closed.
  const frame = requestAnimationFrame(() => {
    if (!anchor.isConnected) return;
    document.body.append(bubble);
    bubble.showPopover();
    stop = keepPlaced(bubble, anchor, anchor.closest('dialog') ? ABOVE : BELOW);
  });
  return () => {
    cancelAnimationFrame(frame);
    stop?.();
    bubble.remove();
  };
}
