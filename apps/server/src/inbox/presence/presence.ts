import { randomUUID } from 'node:crypto';
import type { ServerEvent } from '@stagedoor/contract/realtime';
import type { StaffMember } from '@stagedoor/contract/team/staff';
import { AppError } from '../../errors.ts';
import type { Publisher } from '../../realtime/publish.ts';

/** Milliseconds without a new typing event until an admin counts as no longer typing. */
const TYPING_MS = 6_000;
/** The limit on a socket's presence events per window: far more than a person produces. */
const MOVES = { max: 60, windowMs: 10_000 };

type PresenceEvent = ServerEvent<'presence'>;

/** The conversation that a socket of this node has open. */
interface Seat {
  readonly seat: string;
  readonly member: StaffMember;
  readonly conversation_id: string;
  typing: boolean;
  timer: NodeJS.Timeout | undefined;
}

export type Presence = ReturnType<typeof createPresence>;

/**
 * Tracks which conversation each socket of this node has open, in memory only; at most one per socket. Each node broadcasts its
 * own seats, and rebroadcasts all of them periodically, so that clients can drop the seats of a dead node.
 */
export function createPresence(publish: Pick<Publisher, 'presence'>) {
  const node = randomUUID();
  const seats = new Map<string, Seat>();
  const moves = new Map<string, { count: number; since: number; latest: number }>();
  let hadSeats = false;

  const present = ({ seat, member, conversation_id, typing }: Seat) => ({
    seat,
    member,
    conversation_id,
    typing,
  });

  function broadcast(seat: Seat, hasLeft = false): void {
    const state = hasLeft
      ? { ...present(seat), conversation_id: null, typing: false }
      : present(seat);
    publish.presence({ node, whole: false, seats: [state] });
  }

  const whole = (): PresenceEvent => ({
    node,
    whole: true,
    seats: [...seats.values()].map(present),
  });

  function setTyping(seat: Seat, typing: boolean): void {
    clearTimeout(seat.timer);
    if (typing) {
      seat.timer = setTimeout(() => setTyping(seat, false), TYPING_MS);
      seat.timer.unref();
    }
    // Rebroadcast while typing continues, because clients use the same timeout as the server.
    if (!typing && !seat.typing) return;
    seat.typing = typing;
    broadcast(seat);
  }

  function leave(socketId: string): void {
    const seat = seats.get(socketId);
    if (seat === undefined) return;
    clearTimeout(seat.timer);
    seats.delete(socketId);
    broadcast(seat, true);
  }

  return {
    whole,

    /**
     * Counts a socket's presence event against its limit.
     * @param arrival the event's number in order of arrival; events that wait for the database can finish out of order
     * @returns a function that checks whether this is still the socket's latest event, to call before acting on the event
     * @throws AppError 429 `rate_limited`
     */
    take(socketId: string, arrival: number): () => boolean {
      const now = performance.now();
      const known = moves.get(socketId);
      const isOver = known === undefined || now - known.since > MOVES.windowMs;
      const move = {
        count: isOver ? 1 : known.count + 1,
        since: isOver ? now : known.since,
        latest: Math.max(known?.latest ?? 0, arrival),
      };
      moves.set(socketId, move);
      if (move.count > MOVES.max) throw new AppError('rate_limited');
      return () => moves.get(socketId)?.latest === arrival;
    },

    isIn: (socketId: string, conversationId: string): boolean =>
      seats.get(socketId)?.conversation_id === conversationId,

    /** Records that the socket opened a conversation, replacing the one it had open. */
    join(socketId: string, member: StaffMember, conversationId: string): void {
      const before = seats.get(socketId);
      clearTimeout(before?.timer);
      const seat: Seat = {
        seat: before?.seat ?? randomUUID(),
        member,
        conversation_id: conversationId,
        typing: false,
        timer: undefined,
      };
      seats.set(socketId, seat);
      broadcast(seat);
    },

    leave,

    /** Records typing. Ignored unless the socket has that conversation open. */
    typing(socketId: string, conversationId: string, isTyping: boolean): void {
      const seat = seats.get(socketId);
      if (seat?.conversation_id === conversationId) setTyping(seat, isTyping);
    },

    /** Removes the state of a closed socket. */
    closed(socketId: string): void {
      moves.delete(socketId);
      leave(socketId);
    },

    /** Broadcasts all seats of this node. Skips the broadcast if there are no seats and the last one had none. */
    async broadcastAll(): Promise<void> {
      if (seats.size > 0 || hadSeats) publish.presence(whole());
      hadSeats = seats.size > 0;
    },
  };
}
