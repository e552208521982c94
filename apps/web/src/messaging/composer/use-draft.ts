import { useCallback, useEffect, useRef, useState } from 'react';
import { type Draft, readDraft, subscribe, writeDraft } from './drafts.ts';

const SAVE_AFTER_MS = 300;

type Begun = Pick<Draft, 'text' | 'replyTo'>;

const NOTHING: Begun = { text: '', replyTo: null };

function isBeingWritten({ text }: Begun): boolean {
  const isFocused = document.activeElement?.hasAttribute('data-reply-field');
  return isFocused === true && document.hasFocus() && text.trim() !== '';
}

function isEqual(a: Begun, b: Begun): boolean {
  return a.text === b.text && a.replyTo?.id === b.replyTo?.id;
}

/**
 * Manages the reply being written. Starts with the stored draft, and saves changes after a short delay. Applies changes from
 * another tab or device, unless the text is being edited.
 */
export function useDraft(conversationId: string) {
  const [draft, setDraft] = useState<Begun>(() => readDraft(conversationId) ?? NOTHING);
  const [isSaved, setSaved] = useState(false);
  // A ref, because leaving the field may save the draft before React has rendered the last change.
  const held = useRef(draft);
  const isChanged = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const hold = useCallback((next: Begun) => {
    held.current = next;
    setDraft(next);
  }, []);

  const save = useCallback(() => {
    clearTimeout(timer.current);
    if (!isChanged.current) return;
    writeDraft(conversationId, held.current);
    isChanged.current = false;
    setSaved(true);
  }, [conversationId]);

  useEffect(() => {
    window.addEventListener('pagehide', save);
    return () => {
      window.removeEventListener('pagehide', save);
      save();
    };
  }, [save]);

  useEffect(() => {
    const take = () => {
      if (isChanged.current || isBeingWritten(held.current)) return;
      const kept = readDraft(conversationId) ?? NOTHING;
      if (!isEqual(held.current, kept)) hold(kept);
    };
    const stop = subscribe(take);
    // Saves when the field loses focus, because the next click may be Sign Out. Then applies changes from elsewhere.
    const leave = () => {
      save();
      take();
    };
    document.addEventListener('focusout', leave);
    return () => {
      stop();
      document.removeEventListener('focusout', leave);
    };
  }, [conversationId, hold, save]);

  const change = useCallback(
    (part: Partial<Begun>) => {
      hold({ ...held.current, ...part });
      isChanged.current = true;
      setSaved(false);
      clearTimeout(timer.current);
      timer.current = setTimeout(save, SAVE_AFTER_MS);
    },
    [hold, save],
  );

  const clear = useCallback(() => {
    clearTimeout(timer.current);
    isChanged.current = false;
    hold(NOTHING);
    setSaved(false);
    writeDraft(conversationId, null);
  }, [conversationId, hold]);

  return { draft, change, clear, isSaved };
}
