import {
  type RefObject,
  startTransition,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { type RowWindow, rowAt, shiftOf, windowOf } from './row-window.ts';

/** A list that moves this far twice within a moment is spun, not read. Pixels, milliseconds. */
const SPIN_PX = 350;
const MOMENT_MS = 80;
/** So long after the last move it stands still. */
const STILL_MS = 120;

const NO_ROWS: ReadonlySet<string> = new Set();

/** The rows to draw, and which of them came while the list was spun: these need not be whole until it stands still. */
interface DrawnRows extends RowWindow {
  passing: ReadonlySet<string>;
}

/** Closer to the end than this, more is loaded. */
const NEAR_END_PX = 200;

interface RowWindowInput {
  scroller: RefObject<HTMLElement | null>;
  list: RefObject<HTMLElement | null>;
  /** Which list it is: another one starts at the top. */
  listKey: string;
  ids: readonly string[];
  offsets: readonly number[];
  onNearEnd: () => void;
  /** Something is being fetched, so that being near the end may have led to nothing. */
  isFetching: boolean;
}

/** The element that scrolls, as far as the list inside of it is concerned. */
interface Viewport {
  top: number;
  bottom: number;
}

function viewportOf(scroller: HTMLElement, list: HTMLElement): Viewport {
  const top = scroller.scrollTop - list.offsetTop;
  return { top, bottom: top + scroller.clientHeight };
}

/**
 * Which rows of a list of known heights to draw, following the scroller. While scrolled down, the view stays on its rows
 * when others come or go above.
 */
export function useRowWindow(input: RowWindowInput): DrawnRows {
  const { scroller, list, listKey, ids, offsets } = input;
  // No list is higher than its page: what it shows at first is drawn at once, before anything is measured.
  const [room, setRoom] = useState(() => window.innerHeight);
  const [range, setRange] = useState(() => firstRows(offsets, room));
  const [shownKey, setShownKey] = useState(listKey);
  if (shownKey !== listKey) {
    setShownKey(listKey);
    setRange(firstRows(offsets, room));
  }
  const latest = useRef(input);
  const inView = useRef<{ listKey: string; places: Map<string, number> }>({
    listKey,
    places: new Map(),
  });

  const spin = useSpin();
  const update = useRef((isMoving = false) => {
    const { current: outer } = latest.current.scroller;
    const { current: inner } = latest.current.list;
    // A hidden panel has no height: its list stays as it was.
    if (!outer || !inner || outer.clientHeight === 0) return;
    const view = viewportOf(outer, inner);
    setRoom(outer.clientHeight - inner.offsetTop);
    const { ids: all } = latest.current;
    const next = windowOf(latest.current.offsets, view.top, view.bottom);
    const isPassing = isMoving && spin.isSpun(outer.scrollTop, () => setRange(whole));
    setRange((held) => {
      if (held.first === next.first && held.end === next.end) return held;
      return { ...next, passing: isPassing ? passingOf(held, next, all) : held.passing };
    });
    inView.current = { listKey: latest.current.listKey, places: placesIn(latest.current, view) };
    if (outer.scrollHeight - outer.scrollTop - outer.clientHeight <= NEAR_END_PX)
      latest.current.onNearEnd();
  }).current;

  useLayoutEffect(() => {
    latest.current = input;
  });
  /** The list whose first rows are painted: what is beyond the edges can wait until then. */
  const paintedKey = useRef<string | null>(null);
  useLayoutEffect(() => {
    const outer = scroller.current;
    const inner = list.current;
    if (outer && inView.current.listKey !== listKey) outer.scrollTop = 0;
    if (paintedKey.current !== listKey) return;
    if (outer && inner && outer.scrollTop > inner.offsetTop) {
      const before = inView.current.places;
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

  // Whoever stands at the end by then scrolls no further.
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

/** Those that a list shows from its top, in so many pixels. */
const firstRows = (offsets: readonly number[], room: number): DrawnRows => ({
  ...windowOf(offsets, 0, room, 0),
  passing: NO_ROWS,
});

const whole = (held: DrawnRows): DrawnRows =>
  held.passing.size === 0 ? held : { ...held, passing: NO_ROWS };

/** Those that come now, and those that came before while it was spun. */
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

/** Tells at each move whether the list is being spun, and calls back once it stands still after that. */
function useSpin() {
  const [spin] = useState(() => {
    let [place, at, wasFar] = [0, 0, false];
    let timer: ReturnType<typeof setTimeout> | undefined;
    return {
      isSpun(top: number, onStill: () => void): boolean {
        const now = performance.now();
        const isFar = Math.abs(top - place) >= SPIN_PX && now - at < MOMENT_MS;
        const isSpun = isFar && wasFar;
        [place, at, wasFar] = [top, now, isFar];
        if (isSpun || timer !== undefined) {
          clearTimeout(timer);
          timer = setTimeout(() => {
            timer = undefined;
            startTransition(onStill);
          }, STILL_MS);
        }
        return isSpun;
      },
      stop: () => clearTimeout(timer),
    };
  });
  return spin;
}

/** The places of the rows in view, by id. */
function placesIn(
  { ids, offsets }: RowWindowInput,
  { top, bottom }: Viewport,
): Map<string, number> {
  const places = new Map<string, number>();
  for (let row = rowAt(offsets, top); row < ids.length && (offsets[row] ?? 0) < bottom; row += 1) {
    places.set(ids[row] ?? '', offsets[row] ?? 0);
  }
  return places;
}
