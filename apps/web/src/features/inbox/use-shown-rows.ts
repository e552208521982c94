import type { Conversation } from '@stagedoor/contract/conversations';
import { type FocusEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { type HeldOrder, holdOrder, keepSelected } from './held-order.ts';

/** Hands off the list for this long: it may move again. */
const IDLE_MS = 3_000;

/** Whether someone is at work inside of an element, and the handlers by which that is noticed. */
export function useHold() {
  const [held, setHeld] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const release = () => {
    clearTimeout(timer.current);
    setHeld(false);
  };
  const hold = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(release, IDLE_MS);
    setHeld(true);
  };
  const handlers = {
    onPointerMove: hold,
    onPointerDown: hold,
    onWheel: hold,
    onTouchMove: hold,
    onKeyDown: hold,
    onFocus: hold,
    onPointerLeave: (event: PointerEvent) => {
      if (!event.currentTarget.contains(document.activeElement)) release();
    },
    onBlur: (event: FocusEvent) => {
      const staysInside = event.currentTarget.contains(event.relatedTarget);
      if (!staysInside && !event.currentTarget.matches(':hover')) release();
    },
  };
  return { held, release, handlers };
}

interface Shown extends HeldOrder<Conversation> {
  listKey: string;
}

interface ShownRowsInput {
  /** The list as it is now. */
  live: readonly Conversation[];
  /** Which list it is: another one starts anew. */
  listKey: string;
  held: boolean;
  selectedId: string | null;
  /** The newest that is known of the selected conversation. */
  selected: Conversation | null;
}

/** The rows to show: the live ones, with the selected row kept and the order held where that is due. */
export function useShownRows(input: ShownRowsInput): HeldOrder<Conversation> {
  const { live, listKey, held, selectedId } = input;
  const [shown, setShown] = useState<Shown>({ listKey, rows: live, updates: 0 });
  let next: HeldOrder<Conversation> = { rows: live, updates: 0 };
  if (shown.listKey === listKey) {
    const selected = input.selected ?? shown.rows.find(({ id }) => id === selectedId) ?? null;
    const kept = keepSelected(shown.rows, live, selected);
    next = held ? holdOrder(shown.rows, kept) : { rows: kept, updates: 0 };
  }
  const isSame =
    shown.listKey === listKey &&
    shown.updates === next.updates &&
    shown.rows.length === next.rows.length &&
    shown.rows.every((row, index) => row === next.rows[index]);
  if (!isSame) setShown({ listKey, ...next });
  return isSame ? shown : next;
}
