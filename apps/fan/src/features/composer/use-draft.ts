import { useCallback, useEffect, useState } from 'react';
import { stored, storedJson } from '../../lib/stored.ts';
import type { ReplyTarget } from './state.ts';

export interface Draft {
  text: string;
  replyTo: ReplyTarget | null;
}

const EMPTY: Draft = { text: '', replyTo: null };

/** Keeps the fan's draft in the browser's storage, where it survives reloads and the end of the session. */
export function useDraft(fanId: string) {
  const name = `draft.${fanId}`;
  const [draft, setDraft] = useState<Draft>(() => storedJson<Draft>(name) ?? EMPTY);
  useEffect(() => {
    if (draft.text === '' && draft.replyTo === null) stored.remove(name);
    else stored.set(name, JSON.stringify(draft));
  }, [name, draft]);
  return {
    draft,
    change: useCallback(
      (changes: Partial<Draft>) => setDraft((held) => ({ ...held, ...changes })),
      [],
    ),
    clear: useCallback(() => setDraft(EMPTY), []),
  };
}
