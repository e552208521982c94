import { PRESENCE_EVERY_MS, type ServerEvent } from '@stagedoor/contract/realtime';
import type { StaffMember } from '@stagedoor/contract/team/staff';
import { useSyncExternalStore } from 'react';

type PresenceEvent = ServerEvent<'presence'>;

/** A colleague's browser, as a node last told of it. */
interface Seat {
  node: string;
  member: StaffMember;
  conversationId: string;
  typing: boolean;
  /** When that was told. */
  at: number;
}

export type Seats = ReadonlyMap<string, Seat>;

/** Somebody who has a conversation open. */
export interface Present extends StaffMember {
  typing: boolean;
}

/** What a node told of and did not tell of again for this long is gone with it. Milliseconds. */
const LOST_MS = 3 * PRESENCE_EVERY_MS;
/** Typing is told of again while it goes on. Milliseconds. */
const TYPING_LOST_MS = 8_000;
const LOOK_EVERY_MS = 2_000;

/** The seats after an event. Nodes tell in order; each only of its own. */
export function withEvent(
  seats: Seats,
  { node, whole, seats: told }: PresenceEvent,
  at: number,
): Seats {
  const next = new Map(seats);
  if (whole) for (const [id, seat] of seats) if (seat.node === node) next.delete(id);
  for (const { seat, member, conversation_id: conversationId, typing } of told) {
    if (conversationId === null) next.delete(seat);
    else next.set(seat, { node, member, conversationId, typing, at });
  }
  return next;
}

/** The seats without what was told too long ago; the same where all is of use still. */
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

/** Who has a conversation open but oneself, each once, by codename. */
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
const listeners = new Set<() => void>();

function change(next: Seats): void {
  if (next === current) return;
  current = next;
  if (next.size === 0) clearInterval(timer);
  if (next.size === 0) timer = undefined;
  else timer ??= setInterval(() => change(withoutLost(current, Date.now())), LOOK_EVERY_MS);
  for (const listener of listeners) listener();
}

/** A node tells. */
export function takeSeats(event: PresenceEvent): void {
  change(withEvent(current, event, Date.now()));
}

/** Nothing is heard any more: who is where is not known. */
export function forgetSeats(): void {
  if (current.size > 0) change(new Map());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Who else has the conversation open, re-rendering with it. @param myId whose own seats don't count */
export function useOthers(conversationId: string, myId: string): Present[] {
  // A text, so that what concerns other conversations renders nothing.
  const told = useSyncExternalStore(subscribe, () =>
    JSON.stringify(othersIn(current, conversationId, myId)),
  );
  return JSON.parse(told) as Present[];
}
