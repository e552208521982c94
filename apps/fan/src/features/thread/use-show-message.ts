import type { FanVisibleMessage } from '@stagedoor/contract/messages';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Outbox } from '../composer/state.ts';

const HIGHLIGHT_MS = 2_000;

interface ShowMessageOptions {
  scroller: RefObject<HTMLDivElement | null>;
  messages: readonly FanVisibleMessage[];
  hasMore: boolean;
  outbox: Outbox;
  loadOlder: () => Promise<boolean>;
}

/** Goes to a message and marks it for a moment, loading older ones until it is there. */
export function useShowMessage(options: ShowMessageOptions) {
  const { scroller, messages, hasMore, outbox, loadOlder } = options;
  const [wanted, setWanted] = useState<string | null>(null);
  const [highlighted, setHighlighted] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  useLayoutEffect(() => {
    if (wanted === null) return;
    if (!messages.some(({ id }) => id === wanted)) {
      if (!hasMore) setWanted(null);
      else void loadOlder().then((came) => came || setWanted(null));
      return;
    }
    const key = outbox.keys[wanted] ?? wanted;
    const element = scroller.current?.querySelector(`[data-message="${CSS.escape(key)}"]`);
    element?.scrollIntoView({ block: 'center' });
    setWanted(null);
    setHighlighted(key);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setHighlighted(null), HIGHLIGHT_MS);
  }, [wanted, messages, hasMore, outbox.keys, loadOlder, scroller]);

  return { highlighted, showMessage: useCallback((id: string) => setWanted(id), []) };
}
