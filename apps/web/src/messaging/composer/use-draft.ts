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
 * Holds the reply being written: starts with the stored draft and saves each change a moment later. Changes from another tab or
 * device are taken over unless the text is being edited.
 */
export function useDraft(conversationId: string) {
  const [draft, setDraft] = useState<Begun>(() => readDraft(conversationId) ?? NOTHING);
  const [isSaved, setSaved] = useState(false);
  const unsaved = useRef<Begun | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const save = useCallback(() => {
    clearTimeout(timer.current);
    if (unsaved.current === null) return;
    writeDraft(conversationId, unsaved.current);
    unsaved.current = null;
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
      if (unsaved.current !== null) return;
      const kept = readDraft(conversationId) ?? NOTHING;
      setDraft((held) => {
        if (isEqual(held, kept) || isBeingWritten(held)) return held;
        return { text: kept.text, replyTo: kept.replyTo };
      });
    };
    const stop = subscribe(take);
    // Saved on leaving the field, because the next click may be Sign Out. Changes from elsewhere wait until then, too.
    const leave = () => {
      save();
      take();
    };
    document.addEventListener('focusout', leave);
    return () => {
      stop();
      document.removeEventListener('focusout', leave);
    };
  }, [conversationId, save]);

  const change = useCallback(
    (part: Partial<Begun>) => {
      setDraft((held) => {
        const next = { ...held, ...part };
        unsaved.current = next;
        return next;
      });
      setSaved(false);
      clearTimeout(timer.current);
      timer.current = setTimeout(save, SAVE_AFTER_MS);
    },
    [save],
  );

  const clear = useCallback(() => {
    clearTimeout(timer.current);
    unsaved.current = null;
    setDraft(NOTHING);
    setSaved(false);
    writeDraft(conversationId, null);
  }, [conversationId]);

  return { draft, change, clear, isSaved };
}
