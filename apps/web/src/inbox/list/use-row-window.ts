import {
  type RefObject,
  startTransition,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { type RowWindow, rowAt, shiftOf, windowOf } from './row-window.ts';

/** Scrolling is too fast to read after two successive scroll events of at least this distance. Pixels. */
const FAST_PX = 350;
/** The maximum time between such events. Milliseconds. */
const MOMENT_MS = 80;
/** Milliseconds after the last movement until the list counts as still. */
const STILL_MS = 120;

const NO_ROWS: ReadonlySet<string> = new Set();

/** The rows to render. Those in `passing` appeared during a fast scroll and are rendered in part until it ends. */
interface DrawnRows extends RowWindow {
  passing: ReadonlySet<string>;
}

/** Pixels from the end at which more rows are loaded. */
const NEAR_END_PX = 200;

interface RowWindowInput {
  scroller: RefObject<HTMLElement | null>;
  list: RefObject<HTMLElement | null>;
  /** Identifies the list. A new list starts at the top. */
  listKey: string;
  ids: readonly string[];
  offsets: readonly number[];
  onNearEnd: () => void;
  /** Whether a page is being fetched. `onNearEnd` may have no effect during a fetch. */
  isFetching: boolean;
}

/** The visible range of the scroller, relative to the list. */
interface Viewport {
  top: number;
  bottom: number;
}

function viewportOf(scroller: HTMLElement, list: HTMLElement): Viewport {
  const top = scroller.scrollTop - list.offsetTop;
  return { top, bottom: top + scroller.clientHeight };
}

/**
 * Returns the rows to render in a list of known row heights, and updates them as the list is scrolled. In a scrolled list, rows
 * added or removed above the view don't move the rows in view.
 */
export function useRowWindow(input: RowWindowInput): DrawnRows {
  const { scroller, list, listKey, ids, offsets } = input;
  // Until the list is measured, use the window's height: no list is taller, so the first rows can render at once.
  const [room, setRoom] = useState(() => window.innerHeight);
  const [range, setRange] = useState(() => firstRows(offsets, room));
  const [shownKey, setShownKey] = useState(listKey);
  if (shownKey !== listKey) {
    setShownKey(listKey);
    setRange(firstRows(offsets, room));
  }
  const latest = useRef(input);
  const inView = useRef<{ listKey: string; tops: Map<string, number> }>({
    listKey,
    tops: new Map(),
  });

  const spin = useSpin();
  const update = useRef((isMoving = false) => {
    const { current: outer } = latest.current.scroller;
    const { current: inner } = latest.current.list;
    // A hidden panel has no height: keep the rows as they are.
    if (!outer || !inner || outer.clientHeight === 0) return;
    const view = viewportOf(outer, inner);
    setRoom(outer.clientHeight - inner.offsetTop);
    const { ids: all } = latest.current;
    const next = windowOf(latest.current.offsets, view.top, view.bottom);
    const isPassing = isMoving && spin.isFast(outer.scrollTop, () => setRange(whole));
    setRange((held) => {
      if (held.first === next.first && held.end === next.end) return held;
      return { ...next, passing: isPassing ? passingOf(held, next, all) : held.passing };
    });
    inView.current = { listKey: latest.current.listKey, tops: topsIn(latest.current, view) };
    if (outer.scrollHeight - outer.scrollTop - outer.clientHeight <= NEAR_END_PX)
      latest.current.onNearEnd();
  }).current;

  useLayoutEffect(() => {
    latest.current = input;
  });
  /** The list whose first rows are painted. Only then are its overscan rows rendered. */
  const paintedKey = useRef<string | null>(null);
  useLayoutEffect(() => {
    const outer = scroller.current;
    const inner = list.current;
    if (outer && inView.current.listKey !== listKey) outer.scrollTop = 0;
    if (paintedKey.current !== listKey) return;
    if (outer && inner && outer.scrollTop > inner.offsetTop) {
      const before = inView.current.tops;
      const now = new Map<string, number>();
      for (const [index, id] of ids.entries()) if (before.has(id)) now.set(id, offsets[index] ?? 0);
      outer.scrollTop += shiftOf(before, now);
    }
    update();
  }, [scroller, list, listKey, ids, offsets, update]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const widen = () => {
      paintedKey.current = listKey;
      update();
    };
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(widen);
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [listKey, update]);

  // At the end of the list there are no more scroll events, so check again after each fetch.
  useLayoutEffect(() => {
    if (paintedKey.current === null) return;
    if (!input.isFetching) update();
  }, [input.isFetching, update]);

  useEffect(() => {
    const outer = scroller.current;
    if (!outer) return;
    const observer = new ResizeObserver(() => update());
    const move = () => update(true);
    observer.observe(outer);
    outer.addEventListener('scroll', move, { passive: true });
    return () => {
      observer.disconnect();
      outer.removeEventListener('scroll', move);
      spin.stop();
    };
  }, [scroller, update, spin]);

  return {
    first: Math.min(range.first, ids.length),
    end: Math.min(range.end, ids.length),
    passing: range.passing,
  };
}

/** Returns the rows at the top of a list that fit into `room` pixels. */
const firstRows = (offsets: readonly number[], room: number): DrawnRows => ({
  ...windowOf(offsets, 0, room, 0),
  passing: NO_ROWS,
});

const whole = (held: DrawnRows): DrawnRows =>
  held.passing.size === 0 ? held : { ...held, passing: NO_ROWS };

/** Returns the ids of the rows to render in part: new rows, and those of the previous window that are still rendered in part. */
function passingOf(
  held: DrawnRows,
  { first, end }: RowWindow,
  ids: readonly string[],
): ReadonlySet<string> {
  const passing = new Set<string>();
  for (let row = first; row < end; row += 1) {
    const id = ids[row];
    if (id === undefined) continue;
    const isNew = row < held.first || row >= held.end;
    if (isNew || held.passing.has(id)) passing.add(id);
  }
  return passing;
}

/** Detects fast scrolling at each move, and calls back once the list is still again. */
function useSpin() {
  const [spin] = useState(() => {
    let [lastTop, at, wasFar] = [0, 0, false];
    let timer: ReturnType<typeof setTimeout> | undefined;
    return {
      isFast(top: number, onStill: () => void): boolean {
        const now = performance.now();
        const isFar = Math.abs(top - lastTop) >= FAST_PX && now - at < MOMENT_MS;
        const isFast = isFar && wasFar;
        [lastTop, at, wasFar] = [top, now, isFar];
        if (isFast || timer !== undefined) {
          clearTimeout(timer);
          timer = setTimeout(() => {
            timer = undefined;
            startTransition(onStill);
          }, STILL_MS);
        }
        return isFast;
      },
      stop: () => clearTimeout(timer),
    };
  });
  return spin;
}

/** Returns the tops of the rows in view, by id. */
function topsIn({ ids, offsets }: RowWindowInput, { top, bottom }: Viewport): Map<string, number> {
  const tops = new Map<string, number>();
  for (let row = rowAt(offsets, top); row < ids.length && (offsets[row] ?? 0) < bottom; row += 1) {
    tops.set(ids[row] ?? '', offsets[row] ?? 0);
  }
  return tops;
}
