import { draw, pick, SALT } from './numbers.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const DAYS = 400;
/** One conversation in a hundred has more than one page of messages; one in ten thousand has many pages. */
const LONG = { every: 100, messages: 60 };
const HUGE = { every: 10_000, messages: 1_000 };
/** The shortest reply time of staff: 20 seconds. The longest is 16 hours, or less when the fan writes again before that. */
const ANSWER_MS = 20_000;

/**
 * The author and time of every message; texts and rows are derived from it. Messages are numbered conversation by conversation.
 */
export interface Plan {
  readonly conversations: number;
  readonly messages: number;
  /** When the plan was made: no message is later. */
  readonly now: number;
  /** The number of each conversation's first message; the last entry is the total. */
  readonly start: Uint32Array;
  /** For each conversation, how many of the fan's last messages are unanswered, and how many are unread. */
  readonly unanswered: Uint8Array;
  readonly unread: Uint8Array;
  readonly conversationOf: Uint32Array;
  /** Milliseconds since 1970. */
  readonly at: Float64Array;
  /** The numbers of all messages in chronological order. */
  readonly order: Uint32Array;
}

/**
 * Plans all messages.
 * @throws Error when there are fewer messages than the conversations need
 */
export function makePlan(conversations: number, messages: number): Plan {
  const start = sizes(conversations, messages);
  const unread = new Uint8Array(conversations);
  const unanswered = new Uint8Array(conversations);
  const conversationOf = new Uint32Array(messages);
  const at = new Float64Array(messages);
  const now = Date.now();
  for (let i = 0; i < conversations; i++) {
    const [first, next] = [start[i] ?? 0, start[i + 1] ?? 0];
    const size = next - first;
    const isUnread = draw(SALT.unread, i) < 0.05;
    unread[i] = isUnread ? Math.min(size, 1 + pick(SALT.unseen, i, 3)) : 0;
    // Unread conversations end with their unread messages; a sixth of the others are read but still unanswered.
    unanswered[i] = isUnread ? (unread[i] ?? 0) : draw(SALT.unanswered, i) < 0.17 ? 1 : 0;
    conversationOf.fill(i, first, next);
    write(at, first, size, unanswered[i] ?? 0, now - 60 * MINUTE_MS, i);
  }
  const order = inTime(at, now);
  return { conversations, messages, now, start, unanswered, unread, conversationOf, at, order };
}

function sizes(conversations: number, messages: number): Uint32Array {
  const huge = Math.floor(conversations / HUGE.every);
  const long = Math.floor(conversations / LONG.every) - huge;
  const others = conversations - huge - long;
  const usual = (messages - huge * HUGE.messages - long * LONG.messages) / others;
  if (usual < 1) throw new Error('too few messages for that many conversations');
  const start = new Uint32Array(conversations + 1);
  let passed = 0;
  for (let i = 0; i < conversations; i++) {
    const nth = i + 1;
    const size =
      nth % HUGE.every === 0
        ? HUGE.messages
        : nth % LONG.every === 0
          ? LONG.messages
          : Math.floor(++passed * usual + 1e-6) - Math.floor((passed - 1) * usual + 1e-6);
    start[nth] = (start[i] ?? 0) + size;
  }
  // Rounding may have missed the exact total.
  start[conversations] = messages;
  return start;
}

/**
 * Sets the times of a conversation's messages: fans write at even intervals; staff answer each message, some quickly and some
 * late.
 */
function write(
  at: Float64Array,
  first: number,
  size: number,
  unanswered: number,
  until: number,
  i: number,
): void {
  const began = until - draw(SALT.began, i) * DAYS * DAY_MS;
  const step = ((until - began) * draw(SALT.ended, i) ** 3) / size;
  for (let index = 0; index < size; index++) {
    const number = first + index;
    const asked = began + step * index;
    const wait = Math.min(ANSWER_MS * Math.exp(8 * draw(SALT.answered, number)), step * 0.9);
    const isAnswer = index > 0 && !isFromFan(index, size, unanswered);
    const time = isAnswer ? asked - step + wait : asked;
    at[number] = Math.max(Math.floor(time), (at[number - 1] ?? 0) * Number(index > 0) + 1);
  }
}

const isFromFan = (index: number, size: number, unanswered: number): boolean =>
  index >= size - unanswered || (size - unanswered - 1 - index) % 2 === 1;

/**
 * Orders the messages by one-minute buckets: precise enough, and far faster than a full sort. Keeps the order within a
 * conversation.
 */
function inTime(at: Float64Array, now: number): Uint32Array {
  const minutes = (DAYS + 1) * 24 * 60;
  const minuteOf = (number: number) =>
    Math.max(0, minutes - 1 - Math.floor((now - (at[number] ?? 0)) / MINUTE_MS));
  const next = new Uint32Array(minutes + 1);
  for (let number = 0; number < at.length; number++) {
    const minute = minuteOf(number) + 1;
    next[minute] = (next[minute] ?? 0) + 1;
  }
  for (let minute = 1; minute <= minutes; minute++) {
    next[minute] = (next[minute] ?? 0) + (next[minute - 1] ?? 0);
  }
  const order = new Uint32Array(at.length);
  for (let number = 0; number < at.length; number++) {
    const minute = minuteOf(number);
    const slot = next[minute] ?? 0;
    order[slot] = number;
    next[minute] = slot + 1;
  }
  return order;
}

/** A message of the plan, with the fields that the tables need. */
export interface Planned {
  readonly number: number;
  readonly conversation: number;
  /** From 1. */
  readonly seq: number;
  readonly fromFan: boolean;
  readonly isUnread: boolean;
  readonly isLast: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export function plannedMessage(plan: Plan, number: number): Planned {
  const conversation = plan.conversationOf[number] ?? 0;
  const first = plan.start[conversation] ?? 0;
  const size = (plan.start[conversation + 1] ?? 0) - first;
  const index = number - first;
  return {
    number,
    conversation,
    seq: index + 1,
    fromFan: isFromFan(index, size, plan.unanswered[conversation] ?? 0),
    isUnread: index >= size - (plan.unread[conversation] ?? 0),
    isLast: index === size - 1,
    at: plan.at[number] ?? 0,
  };
}

/** Returns the time of the fan message that this staff message answers; null when staff wrote first. */
export const waitedSince = (plan: Plan, message: Planned): number | null =>
  message.seq > 1 ? (plan.at[message.number - 1] ?? null) : null;
