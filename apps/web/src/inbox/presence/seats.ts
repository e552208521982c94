import { PRESENCE_EVERY_MS, type ServerEvent } from '@stagedoor/contract/realtime';
import type { StaffMember } from '@stagedoor/contract/team/staff';
import { useSyncExternalStore } from 'react';
import { createListeners } from '../../lib/listeners.ts';
import { useAdmin } from '../../lib/server/session.ts';

type PresenceEvent = ServerEvent<'presence'>;

/** A teammate's tab, as last reported by its server node. */
interface Seat {
  node: string;
  member: StaffMember;
  conversationId: string;
  typing: boolean;
  /** When the seat was last reported. Milliseconds. */
  at: number;
}

export type Seats = ReadonlyMap<string, Seat>;

/** A teammate who has a conversation open. */
export interface Present extends StaffMember {
  typing: boolean;
}

/** How long a seat is kept after its node's last report. Milliseconds. */
const LOST_MS = 3 * PRESENCE_EVERY_MS;
/** How long typing is shown after its last report. Milliseconds. */
const TYPING_LOST_MS = 8_000;
const LOOK_EVERY_MS = 2_000;

/** Returns the seats after an event. Each node reports only its own seats, in order. */
export function withEvent(
  seats: Seats,
  { node, whole, seats: reported }: PresenceEvent,
  at: number,
): Seats {
  const next = new Map(seats);
  if (whole) for (const [id, seat] of seats) if (seat.node === node) next.delete(id);
  for (const { seat, member, conversation_id: conversationId, typing } of reported) {
    if (conversationId === null) next.delete(seat);
    else next.set(seat, { node, member, conversationId, typing, at });
  }
  return next;
}

/** Removes outdated seats and outdated typing. Returns the same map if nothing is outdated. */
export function withoutLost(seats: Seats, now: number): Seats {
  const isLost = ({ at }: Seat) => now - at > LOST_MS;
  const isStill = ({ typing, at }: Seat) => typing && now - at > TYPING_LOST_MS;
  if (![...seats.values()].some((seat) => isLost(seat) || isStill(seat))) return seats;
  return new Map(
    [...seats]
      .filter(([, seat]) => !isLost(seat))
      .map(([id, seat]) => [id, isStill(seat) ? { ...seat, typing: false } : seat]),
  );
}

/** Returns the other admins who have a conversation open, each once, sorted by codename. */
export function othersIn(seats: Seats, conversationId: string, myId: string): Present[] {
  const others = new Map<string, Present>();
  for (const { member, conversationId: open, typing } of seats.values()) {
    if (open !== conversationId || member.id === myId) continue;
    const isTyping = typing || others.get(member.id)?.typing === true;
    others.set(member.id, { ...member, typing: isTyping });
  }
  return [...others.values()].toSorted((a, b) => a.codename.localeCompare(b.codename));
}

let current: Seats = new Map();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = createListeners();

function change(next: Seats): void {
  if (next === current) return;
  current = next;
  if (next.size === 0) clearInterval(timer);
  if (next.size === 0) timer = undefined;
  else timer ??= setInterval(() => change(withoutLost(current, Date.now())), LOOK_EVERY_MS);
  listeners.notify();
}

/** Applies a presence event. */
export function takeSeats(event: PresenceEvent): void {
  change(withEvent(current, event, Date.now()));
}

/** Clears all seats, because presence events are no longer received. */
export function clearSeats(): void {
  if (current.size > 0) change(new Map());
}

/** Returns the viewer's teammates who have a conversation open, and re-renders when that changes. */
export function useOthers(conversationId: string): Present[] {
  const { id } = useAdmin();
  // A string snapshot, so that changes in other conversations cause no render.
  const reported = useSyncExternalStore(listeners.subscribe, () =>
    JSON.stringify(othersIn(current, conversationId, id)),
  );
  return JSON.parse(reported) as Present[];
}
