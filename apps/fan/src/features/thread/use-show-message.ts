import type { FanVisibleMessage } from '@stagedoor/contract/messaging/messages';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { Outbox } from '../composer/state.ts';

const HIGHLIGHT_MS = 2_000;

interface ShowMessageOptions {
  scroller: RefObject<HTMLDivElement | null>;
  messages: readonly FanVisibleMessage[];
  hasMore: boolean;
  outbox: Outbox;
  loadOlder: () => Promise<boolean>;
}

const painted = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** Scrolls to a message and highlights it briefly. Loads older messages until it is found. */
export function useShowMessage(options: ShowMessageOptions) {
  const [highlighted, setHighlighted] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  useEffect(() => () => clearTimeout(timer.current), []);

  const show = useCallback(async (id: string) => {
    const isThere = () => latest.current.messages.some((message) => message.id === id);
    while (!isThere()) {
      if (!latest.current.hasMore || !(await latest.current.loadOlder())) return;
      await painted();
    }
    const { outbox, scroller } = latest.current;
    const key = outbox.keys[id] ?? id;
    const element = scroller.current?.querySelector(`[data-message="${CSS.escape(key)}"]`);
    element?.scrollIntoView({ block: 'center' });
    setHighlighted(key);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setHighlighted(null), HIGHLIGHT_MS);
  }, []);
  const showMessage = useCallback((id: string) => void show(id), [show]);
  return { highlighted, showMessage };
}
