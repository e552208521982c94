import { useCallback, useEffect, useState } from 'react';
import { onStored, stored, storedJson } from '../../lib/stored.ts';
import type { ReplyTarget } from './state.ts';

export interface Draft {
  text: string;
  replyTo: ReplyTarget | null;
}

const EMPTY: Draft = { text: '', replyTo: null };

/** Keeps the fan's draft in the browser's storage, which all tabs share and which outlasts reloads and the session. */
export function useDraft(fanId: string) {
  const name = `draft.${fanId}`;
  const read = useCallback(() => storedJson<Draft>(name) ?? EMPTY, [name]);
  const [draft, setDraft] = useState(read);
  useEffect(() => onStored(name, () => setDraft(read())), [name, read]);
  const change = useCallback(
    (changes: Partial<Draft>) => {
      const next = { ...read(), ...changes };
      if (next.text === '' && next.replyTo === null) stored.remove(name);
      else stored.set(name, JSON.stringify(next));
      setDraft(next);
    },
    [name, read],
  );
  return { draft, change, clear: useCallback(() => change(EMPTY), [change]) };
}
