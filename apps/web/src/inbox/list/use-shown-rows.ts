import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { type FocusEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { type HeldOrder, holdOrder, keepSelected } from './held-order.ts';

/** Milliseconds without input until the list may move again. */
const IDLE_MS = 3_000;

/** Tracks whether the user is interacting with an element. Returns the handlers to attach to that element. */
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
  /** The current list. */
  live: readonly Conversation[];
  /** Identifies the list. A different list is shown in its own order at once, even while `held`. */
  listKey: string;
  held: boolean;
  selectedId: string | null;
  /** The newest known version of the selected conversation. */
  selected: Conversation | null;
}

/** The rows to show. `ids` and `tagged` stay the same arrays as long as their content does, even if the rows change. */
interface ShownRows extends HeldOrder<Conversation> {
  ids: readonly string[];
  /** Whether each row has tags. */
  tagged: readonly boolean[];
}

/** The shown rows with the input they were made from. */
interface Shown extends ShownRows {
  from: ShownRowsInput;
}

/** Returns the rows to show: the live rows and the selected row. While the user interacts, their order does not change. */
export function useShownRows(input: ShownRowsInput): ShownRows {
  const [shown, setShown] = useState<Shown>(() => ({
    ...withShapes({ rows: input.live, updates: 0 }, null),
    from: input,
  }));
  if (isSameInput(shown.from, input)) return shown;
  const next = { ...withShapes(nextShown(shown, input), shown), from: input };
  setShown(next);
  return next;
}

function withShapes(order: HeldOrder<Conversation>, before: ShownRows | null): ShownRows {
  if (before?.rows === order.rows) return { ...before, ...order };
  return {
    ...order,
    ids: mapped(order.rows, ({ id }) => id, before?.ids),
    tagged: mapped(order.rows, ({ fan }) => fan.admin_tags.length > 0, before?.tagged),
  };
}

/** Maps each row to a value. Returns the previous array if all values are equal. */
function mapped<T>(
  rows: readonly Conversation[],
  read: (row: Conversation) => T,
  before: readonly T[] | undefined,
): readonly T[] {
  const isSame =
    before?.length === rows.length && rows.every((row, index) => read(row) === before[index]);
  return isSame ? before : rows.map(read);
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
  const next = held ? holdOrder(shown.rows, kept, shown.indices) : { rows: kept, updates: 0 };
  // Returning the same array avoids recomputing everything derived from it.
  return isSameList(shown.rows, next.rows) ? { ...next, rows: shown.rows } : next;
}

function isSameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index]);
}
