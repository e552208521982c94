import { useCallback, useEffect, useRef, useState } from 'react';
import { type Draft, readDraft, writeDraft } from './drafts.ts';

const SAVE_AFTER_MS = 300;

type Begun = Omit<Draft, 'savedAt'>;

/** What is being written in a conversation: begins with what was kept, and keeps each change a moment later. */
export function useDraft(conversationId: string) {
  const [draft, setDraft] = useState<Begun>(
    () => readDraft(conversationId) ?? { text: '', replyTo: null },
  );
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
    setDraft({ text: '', replyTo: null });
    setSaved(false);
    writeDraft(conversationId, null);
  }, [conversationId]);

  return { draft, change, clear, isSaved };
}
