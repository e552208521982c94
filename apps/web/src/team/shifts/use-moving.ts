import type { Shift } from '@stagedoor/contract/team/shifts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { moveShift } from './change-shift.ts';
import type { Times } from './week.ts';

/** How long after the last key press a move by keys is saved. Milliseconds. */
const SETTLED_MS = 900;

interface Moving {
  readonly shift: Shift;
  readonly times: Times;
}

/** Manages a shift that is being moved by pointer or keys. Its new times show at once, and are saved when it is dropped. */
export function useMoving(zone: string) {
  const client = useQueryClient();
  const [moving, setMoving] = useState<Moving | null>(null);
  const latest = useRef<Moving | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const set = useCallback((next: Moving | null) => {
    clearTimeout(timer.current);
    latest.current = next;
    setMoving(next);
  }, []);
  const drop = useCallback(() => {
    const moved = latest.current;
    if (moved === null) return;
    set(null);
    const { shift, times } = moved;
    if (times.starts_at === shift.starts_at && times.ends_at === shift.ends_at) return;
    void moveShift(client, shift, times, { zone });
  }, [client, set, zone]);
  // Leaving the page saves the move.
  const dropLatest = useRef(drop);
  useEffect(() => {
    dropLatest.current = drop;
  });
  useEffect(() => () => dropLatest.current(), []);

  return {
    moving,
    /** Shows a shift at other times. */
    show: useCallback((shift: Shift, times: Times) => set({ shift, times }), [set]),
    /** Moves a shift by a key press, and saves it once no more keys follow. Returns its new times. */
    nudge: useCallback(
      (shift: Shift, change: (times: Times) => Times) => {
        const held = latest.current;
        if (held !== null && held.shift.id !== shift.id) drop();
        const before = held?.shift.id === shift.id ? held : { shift, times: shift };
        const times = change(before.times);
        set({ shift: before.shift, times });
        timer.current = setTimeout(drop, SETTLED_MS);
        return times;
      },
      [drop, set],
    ),
    drop,
    cancel: useCallback(() => set(null), [set]),
  };
}

export type ShiftMoving = ReturnType<typeof useMoving>;
