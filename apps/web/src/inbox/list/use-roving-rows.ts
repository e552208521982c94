import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

interface RovingRowsInput {
  scroller: RefObject<HTMLElement | null>;
  list: RefObject<HTMLElement | null>;
  ids: readonly string[];
  offsets: readonly number[];
  selectedId: string | null;
  /** Returns the height in pixels of the sticky bars that cover the top of `scroller`. */
  stickyHeight: () => number;
}

/** Manages the single tab stop of a list and moves it by keyboard. */
export function useRovingRows(input: RovingRowsInput) {
  const { ids, offsets, selectedId, scroller, list } = input;
  const [activeId, setActiveId] = useState<string | null>(selectedId);
  const [lastSelected, setLastSelected] = useState(selectedId);
  const focusDue = useRef<string | null>(null);
  if (selectedId !== lastSelected) {
    setLastSelected(selectedId);
    if (selectedId !== null) setActiveId(selectedId);
  }
  const known = activeId === null ? -1 : ids.indexOf(activeId);
  const activeIndex =
    known === -1 ? Math.max(0, selectedId === null ? 0 : ids.indexOf(selectedId)) : known;

  const reveal = (index: number) => {
    const outer = scroller.current;
    const inner = list.current;
    if (!outer || !inner) return;
    const top = inner.offsetTop + (offsets[index] ?? 0);
    const bottom = inner.offsetTop + (offsets[index + 1] ?? 0);
    const sticky = input.stickyHeight();
    if (index === 0) outer.scrollTop = 0;
    else if (top < outer.scrollTop + sticky) outer.scrollTop = top - sticky;
    else if (bottom > outer.scrollTop + outer.clientHeight)
      outer.scrollTop = bottom - outer.clientHeight;
  };
  const focusRow = (index: number) => {
    const target = Math.max(0, Math.min(index, ids.length - 1));
    const id = ids[target];
    if (id === undefined) return;
    focusDue.current = id;
    setActiveId(id);
    reveal(target);
    focusIfDrawn(list.current, focusDue);
  };
  // A row out of view is rendered first and focused afterwards.
  useLayoutEffect(() => focusIfDrawn(list.current, focusDue));

  // The focus follows the opened conversation. Otherwise shortcuts would act on the row that had the focus before.
  const followed = useRef(selectedId);
  useLayoutEffect(() => {
    if (followed.current === selectedId) return;
    followed.current = selectedId;
    const active = document.activeElement as HTMLElement | null;
    if (selectedId === null || !list.current?.contains(active)) return;
    if (active?.dataset.row === undefined || active.dataset.row === selectedId) return;
    if (!ids.includes(selectedId)) {
      active.blur();
      return;
    }
    focusDue.current = selectedId;
    focusIfDrawn(list.current, focusDue);
  });

  const isInside = () => list.current?.contains(document.activeElement) ?? false;
  const move = (step: number) =>
    focusRow(isInside() || ids[activeIndex] === selectedId ? activeIndex + step : activeIndex);
  return { activeIndex, setActiveId, focusRow, move, reveal };
}

function focusIfDrawn(list: HTMLElement | null, due: RefObject<string | null>): void {
  if (due.current === null) return;
  const row = list?.querySelector<HTMLElement>(`[data-row="${CSS.escape(due.current)}"]`);
  if (!row) return;
  due.current = null;
  row.focus({ preventScroll: true });
}
