import type { Attachment } from '@stagedoor/contract/media';
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type Density, useDensity } from '../../lib/density.ts';
import { albumHeight, boxOf, endsInPicture } from '../bubble/picture-size.ts';
import { shownText } from '../messages/message-text.ts';
import type { ThreadRow } from '../messages/thread-rows.ts';

/** The maximum distance from the end at which the newest message counts as visible. */
const END_PX = 64;
/** The distance from the beginning or end at which more messages are requested. */
const LOAD_AHEAD_PX = 800;
/** How long a scroll command may take, in milliseconds. Meanwhile no messages are requested: new rows would move the target. */
const SETTLE_MS = 250;
const OVERSCAN_ROWS = 8;
const PADDING_TOP_PX = 12;
const PADDING_END_PX = 32;

const LINE_PX = { comfortable: 22, compact: 20 } as const;
const CHARS_IN_LINE = 52;

const linesOf = (text: string) =>
  text
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / CHARS_IN_LINE)), 0);

const isNearStart = ({ scrollOffset }: { scrollOffset: number | null }) =>
  (scrollOffset ?? 0) < LOAD_AHEAD_PX;

/** Estimates a row's height, so that little moves when it is measured. */
function estimate(row: ThreadRow | undefined, density: Density): number {
  const linePx = LINE_PX[density];
  if (!row) return linePx;
  if (row.kind === 'day' || row.kind === 'new') return 40;
  if (row.kind === 'purchase' || row.kind === 'tip') return 32;
  if (row.kind === 'note') return 62 + linesOf(row.note.content) * linePx;
  const text = shownText(row.message.content);
  const shown = row.message.attachments.map((held) => ('shown' in held ? held.shown : held));
  const isBare = text === '' && endsInPicture(shown);
  const lines = linesOf(text);
  const hasQuote =
    row.kind === 'pending' ? row.message.replyTo !== null : row.message.reply_to !== null;
  const hasReactions = row.kind === 'message' && row.message.reactions.length > 0;
  return (
    (isBare ? 8 : lines * linePx + (density === 'compact' ? 8 : 14)) +
    attachmentsHeight(shown) +
    (row.startsGroup ? 12 : 2) +
    (hasQuote ? 52 : 0) +
    (hasReactions ? 18 : 0)
  );
}

function attachmentsHeight(shown: readonly Attachment[]): number {
  const pictures = shown.filter(({ type, product_id }) => type === 'image' && product_id === null);
  const [only] = pictures;
  const album =
    only && pictures.length === 1
      ? boxOf(only.width, only.height).height
      : albumHeight(pictures.length);
  const others = shown.filter((held) => !pictures.includes(held));
  return others.reduce(
    (sum, { type, product_id, width, height }) =>
      sum + (product_id !== null ? 252 : type === 'video' ? boxOf(width, height).height : 58),
    album,
  );
}

interface ThreadScrollOptions {
  rows: readonly ThreadRow[];
  scroller: RefObject<HTMLDivElement | null>;
  /** The key of the focused row, which stays rendered while out of view. */
  keptKey: string | null;
  onNearStart: () => void;
  /**
   * Set for a thread that ends before the newest message: called when the end is near or reached. Such a thread does not follow
   * the end.
   */
  onNearEnd?: ((isAtEnd: boolean) => void) | undefined;
}

/** Renders only visible rows, keeps the scroll position when rows change, and follows the newest message while at the end. */
export function useThreadScroll(options: ThreadScrollOptions) {
  const { rows, scroller, keptKey, onNearStart, onNearEnd } = options;
  const followsEnd = onNearEnd === undefined;
  const [isAtEnd, setAtEnd] = useState(true);
  const isSettling = useRef(true);
  const settled = useRef<ReturnType<typeof setTimeout>>(undefined);
  const wasAtEnd = useRef(true);
  const density = useDensity();
  const kept = keptKey === null ? -1 : rows.findIndex(({ key }) => key === keptKey);
  // oxlint-disable-next-line react-hooks/incompatible-library
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => estimate(rows[index], density),
    getItemKey: (index) => rows[index]?.key ?? index,
    anchorTo: 'end',
    followOnAppend: followsEnd,
    scrollEndThreshold: END_PX,
    overscan: OVERSCAN_ROWS,
    paddingStart: PADDING_TOP_PX,
    paddingEnd: PADDING_END_PX,
    directDomUpdates: true,
    directDomUpdatesMode: 'position',
    rangeExtractor: (range: Range) => {
      const indexes = defaultRangeExtractor(range);
      return kept === -1 || indexes.includes(kept)
        ? indexes
        : [...indexes, kept].sort((a, b) => a - b);
    },
    onChange: (instance) => {
      if (isSettling.current) return;
      setAtEnd(instance.isAtEnd(END_PX));
      if (isNearStart(instance)) onNearStart();
      if (instance.isAtEnd(LOAD_AHEAD_PX)) onNearEnd?.(instance.isAtEnd(END_PX));
    },
  });

  // The library's default skips rows that change while the user scrolls up, so the rows of the page added above would jump.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = (item, _delta, instance) => {
    const offset = instance.scrollOffset ?? 0;
    const isFirstMeasure = !instance.itemSizeCache.has(item.key);
    return isFirstMeasure ? item.start < offset : item.end <= offset;
  };

  const latest = useRef({ onNearStart, onNearEnd });
  useEffect(() => {
    latest.current = { onNearStart, onNearEnd };
    // Requests older messages again: a thread at its start gets no scroll events, and a refetch may have discarded the page.
    if (!isSettling.current && isNearStart(virtualizer)) onNearStart();
  });
  useEffect(() => {
    // Requests newer messages again at the end, but only after the rows change: a failed page would fail again at once.
    if (!isSettling.current && virtualizer.isAtEnd(LOAD_AHEAD_PX))
      latest.current.onNearEnd?.(false);
  }, [rows, virtualizer]);
  const settle = useCallback(() => {
    isSettling.current = true;
    clearTimeout(settled.current);
    settled.current = setTimeout(() => {
      isSettling.current = false;
      setAtEnd(virtualizer.isAtEnd(END_PX));
      if (isNearStart(virtualizer)) latest.current.onNearStart();
    }, SETTLE_MS);
  }, [virtualizer]);
  useEffect(() => () => clearTimeout(settled.current), []);
  const scrollToRow = useCallback(
    (index: number, align: 'start' | 'center' | 'auto') => {
      settle();
      virtualizer.scrollToIndex(index, { align });
    },
    [virtualizer, settle],
  );

  // Opens at the first unread message, otherwise at the newest. `useHighlight` scrolls to a message that was jumped to.
  useLayoutEffect(() => {
    if (!followsEnd) return;
    const firstNew = rows.findIndex(({ kind }) => kind === 'new');
    settle();
    if (firstNew === -1) return;
    virtualizer.scrollToIndex(firstNew, { align: 'start' });
    wasAtEnd.current = virtualizer.isAtEnd(END_PX);
    // The opening position is chosen once.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  // The virtualizer only follows appended rows, but tips and notes that load later are inserted above the end.
  useLayoutEffect(() => {
    if (followsEnd && wasAtEnd.current) virtualizer.scrollToEnd();
  }, [rows.length, followsEnd, virtualizer]);

  // Scrolls to a message that the viewer sends, even from further up, but not to one that was pending when the thread opened.
  const last = rows.at(-1);
  const pendingKey = last?.kind === 'pending' ? last.key : null;
  const shownPending = useRef(pendingKey);
  useLayoutEffect(() => {
    if (pendingKey === shownPending.current) return;
    shownPending.current = pendingKey;
    if (pendingKey !== null && followsEnd) virtualizer.scrollToEnd();
  }, [pendingKey, followsEnd, virtualizer]);

  // Keeps the newest message visible when the text field grows or a phone opens its keyboard.
  useEffect(() => {
    const element = scroller.current;
    if (!element || !followsEnd) return;
    let height = element.clientHeight;
    const note = () => {
      if (element.clientHeight === height) wasAtEnd.current = virtualizer.isAtEnd(END_PX);
    };
    const observer = new ResizeObserver(() => {
      if (element.clientHeight !== height && wasAtEnd.current) virtualizer.scrollToEnd();
      height = element.clientHeight;
    });
    observer.observe(element);
    element.addEventListener('scroll', note, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', note);
    };
  }, [scroller, virtualizer, followsEnd]);

  return { virtualizer, isAtEnd, scrollToRow };
}
