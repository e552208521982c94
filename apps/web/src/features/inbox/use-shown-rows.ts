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

/** What is shown, and of what it was made. */
interface Shown extends HeldOrder<Conversation> {
  from: ShownRowsInput;
}

/** The rows to show: the live ones, with the selected row kept and the order held where that is due. */
export function useShownRows(input: ShownRowsInput): HeldOrder<Conversation> {
  const [shown, setShown] = useState<Shown>({ rows: input.live, updates: 0, from: input });
  if (isSameInput(shown.from, input)) return shown;
  const next = { ...nextShown(shown, input), from: input };
  setShown(next);
  return next;
}

function isSameInput(a: ShownRowsInput, b: ShownRowsInput): boolean {
  return (
    a.live === b.live &&
    a.listKey === b.listKey &&
    a.held === b.held &&
    a.selectedId === b.selectedId &&
    a.selected === b.selected
  );
}

function nextShown(shown: Shown, input: ShownRowsInput): HeldOrder<Conversation> {
  const { live, listKey, held, selectedId } = input;
  if (shown.from.listKey !== listKey) return { rows: live, updates: 0 };
  const selected = input.selected ?? shown.rows.find(({ id }) => id === selectedId) ?? null;
  const kept = keepSelected(shown.rows, live, selected);
  const next = held ? holdOrder(shown.rows, kept, shown.places) : { rows: kept, updates: 0 };
  // The same array again spares everything that is made of the rows.
  return isSameList(shown.rows, next.rows) ? { ...next, rows: shown.rows } : next;
}

function isSameList(a: readonly Conversation[], b: readonly Conversation[]): boolean {
  return a.length === b.length && a.every((row, index) => row === b[index]);
}
