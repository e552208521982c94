import type { Conversation } from '@stagedoor/contract/inbox/conversations';
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

/** What is shown. `ids` and `tagged` stay the same arrays as long as they hold the same, whatever else the rows tell. */
interface ShownRows extends HeldOrder<Conversation> {
  ids: readonly string[];
  /** Which of the rows have tags. */
  tagged: readonly boolean[];
}

/** And of what it was made. */
interface Shown extends ShownRows {
  from: ShownRowsInput;
}

/** The rows to show: the live ones, with the selected row kept and the order held where that is due. */
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
  const ids = order.rows.map(({ id }) => id);
  const tagged = order.rows.map(({ fan }) => fan.admin_tags.length > 0);
  return {
    ...order,
    ids: before && isSameList(before.ids, ids) ? before.ids : ids,
    tagged: before && isSameList(before.tagged, tagged) ? before.tagged : tagged,
  };
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

function isSameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index]);
}
