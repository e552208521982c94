import { type KeyboardEvent, type SyntheticEvent, useEffect, useRef, useState } from 'react';
import type { GalleryItem } from './bundles.ts';

/** Manages a modal dialog that shows a conversation's media. Arrow keys step through the media; Escape closes the dialog. */
export function useLightbox(pictures: readonly GalleryItem[], openId: string, onClose: () => void) {
  const ref = useRef<HTMLDialogElement>(null);
  const [shownId, setShownId] = useState(openId);
  useEffect(() => {
    const opener = document.activeElement;
    ref.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
  }, []);
  const index = pictures.findIndex(({ id }) => id === shownId);
  const go = (step: number) => {
    const next = pictures[index + step];
    if (next) setShownId(next.id);
  };
  /** The index change for a step to the right: 1, or -1 on right-to-left pages. */
  const forward = document.dir === 'rtl' ? -1 : 1;
  const onKeyDown = (event: KeyboardEvent) => {
    // In a player, the arrow keys seek.
    if (event.target instanceof HTMLMediaElement) return;
    const step = { ArrowLeft: -forward, ArrowRight: forward }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    go(step);
  };
  const onCancel = (event: SyntheticEvent) => {
    event.preventDefault();
    onClose();
  };
  return { index, picture: pictures[index], go, forward, dialog: { ref, onKeyDown, onCancel } };
}
