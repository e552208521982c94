import { randomUUID } from 'node:crypto';
import type { ServerEvent } from '@stagedoor/contract/realtime';
import type { StaffMember } from '@stagedoor/contract/team/staff';
import { AppError } from '../../errors.ts';
import type { Publisher } from '../../realtime/publish.ts';

/** Who begins to type and is not heard of again has stopped after this. Milliseconds. */
const TYPING_MS = 6_000;
/** What one socket may tell within a window: far more than hands can do. */
const MOVES = { max: 60, windowMs: 10_000 };

type PresenceEvent = ServerEvent<'presence'>;

/** What a socket of this node has open. */
interface Seat {
  readonly seat: string;
  readonly member: StaffMember;
  readonly conversation_id: string;
  typing: boolean;
  timer: NodeJS.Timeout | undefined;
}

export type Presence = ReturnType<typeof createPresence>;

/**
 * Which conversations colleagues have open, by the sockets of this node; each node tells of its own, all of them again from time to
 * time, so that clients forget those of a node that is gone. One conversation a socket; kept nowhere but in memory.
 */
export function createPresence(publish: Pick<Publisher, 'presence'>) {
  const node = randomUUID();
  const seats = new Map<string, Seat>();
  const moves = new Map<string, { count: number; since: number; latest: number }>();
  let isTold = false;

  const shown = ({ seat, member, conversation_id, typing }: Seat) => ({
    seat,
    member,
    conversation_id,
    typing,
  });

  function tell(seat: Seat, isGone = false): void {
    const told = isGone ? { ...shown(seat), conversation_id: null, typing: false } : shown(seat);
    publish.presence({ node, whole: false, seats: [told] });
  }

  const whole = (): PresenceEvent => ({
    node,
    whole: true,
    seats: [...seats.values()].map(shown),
  });

  function setTyping(seat: Seat, typing: boolean): void {
    clearTimeout(seat.timer);
    if (typing) {
      seat.timer = setTimeout(() => setTyping(seat, false), TYPING_MS);
      seat.timer.unref();
    }
    // Told anew while it goes on: clients forget it as fast as we do.
    if (!typing && !seat.typing) return;
    seat.typing = typing;
    tell(seat);
  }

  function leave(socketId: string): void {
    const seat = seats.get(socketId);
    if (seat === undefined) return;
    clearTimeout(seat.timer);
    seats.delete(socketId);
    tell(seat, true);
  }

  return {
    whole,

    /**
     * Counts what a socket tells.
     * @param arrival its place among all events, as they came in: those that wait for the database may overtake each other
     * @returns whether nothing that came later was acted on, to be asked before acting
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

    /** Whether the socket has that conversation open. */
    isIn: (socketId: string, conversationId: string): boolean =>
      seats.get(socketId)?.conversation_id === conversationId,

    /** The socket has a conversation open, in place of the one before. */
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
      tell(seat);
    },

    leave,

    /** Only where the socket has that conversation open. */
    typing(socketId: string, conversationId: string, isTyping: boolean): void {
      const seat = seats.get(socketId);
      if (seat?.conversation_id === conversationId) setTyping(seat, isTyping);
    },

    /** The socket is gone. */
    closed(socketId: string): void {
      moves.delete(socketId);
      leave(socketId);
    },

    /** Tells all of this node's, where there are any or were at the last time. */
    async tellAll(): Promise<void> {
      if (seats.size > 0 || isTold) publish.presence(whole());
      isTold = seats.size > 0;
    },
  };
}
