import { REACTION_EMOJI } from '@stagedoor/contract/messaging/messages';
import { sampleAvatarPath } from './avatars.ts';
import { dialogue } from './dialogue.ts';
import { PEOPLE, type SamplePerson } from './people.ts';
import type { Random } from './random.ts';
import { hashOf, idOf, type Row } from './row.ts';
import { sampleSubscription } from './subscriptions.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** How far back conversations go. */
const SPAN_MS = 92 * DAY_MS;
/** Maximum length of a message preview in the inbox. */
const PREVIEW_CHARS = 300;

const LIBRARY = [
  ['VIP', '#FF5733'],
  ['whale', '#4251D4'],
  ['Portugal', '#0B7A5C'],
  ['JP', '#B4235A'],
  ['refund', '#FFFF00'],
  ['new', '#00A3FF'],
  ['birthday', '#E83E8C'],
  ['press', '#000000'],
  ['merch', '#A15C00'],
  ['tour 2026', '#7024AB'],
] as const;
const LOCAL_TAGS: readonly (readonly [label: string, color: string | null])[] = [
  ['asks about chords', '#4B7A12'],
  ['met in Porto', null],
  ['prefers email', '#8A4B2A'],
  ['draws', '#FFD6E8'],
  ['wheelchair place', '#00708F'],
];

export type MessageRow = Row & {
  readonly id: string;
  readonly conversation_id: string;
  seq: number;
  readonly from_fan: boolean;
  readonly author_id: string;
  readonly created_at: string;
  attachments: unknown[];
};

/** The rows of fans and their conversations, in an order in which they can be inserted. */
export interface FanTables {
  readonly global_tags: Row[];
  readonly fans: Row[];
  readonly fan_tags: Row[];
  readonly fan_benefits: Row[];
  readonly conversations: (Row & { readonly id: string; readonly fan_id: string })[];
  readonly messages: MessageRow[];
  readonly reactions: Row[];
}

interface Setting {
  readonly creatorId: string;
  readonly adminIds: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly random: Random;
}

type World = Setting & { readonly rows: FanTables };

/** Returns the sample fans with their tags and subscriptions, and everything that fans and staff have written. */
export function sampleFans(setting: Setting): FanTables {
  const rows: FanTables = {
    global_tags: LIBRARY.map(([label, color]) => ({ id: idOf(`tag ${label}`), label, color })),
    fans: [],
    fan_tags: [],
    fan_benefits: [],
    conversations: [],
    messages: [],
    reactions: [],
  };
  for (const [index, person] of PEOPLE.entries()) addFan({ ...setting, rows }, person, index);
  return rows;
}

function addFan(world: World, person: SamplePerson, index: number): void {
  const { rows, random, now } = world;
  const fanId = idOf(`fan ${person.externalId}`);
  const length = lengthOf(index, random);
  // About one in seven of the conversations without unread messages is still waiting for a reply.
  const unread =
    length > 0 && index % 12 < 5 ? 1 + Math.floor(random.between(0, 4) * random.next()) : 0;
  const unanswered = Math.min(length, unread > 0 ? unread : random.chance(0.14) ? 1 : 0);
  const lines = dialogue(person, length, unanswered, random);
  const times = timesOf(lines, now - ageOf(index, random), now, random);
  const joined = new Date(
    (times[0] ?? now - random.between(0, SPAN_MS)) - random.between(1, 90) * MINUTE_MS,
  );
  rows.fans.push({
    id: fanId,
    external_id: person.externalId,
    first_name: person.firstName,
    last_name: person.lastName,
    username: person.username,
    email: person.email,
    avatar_url: sampleAvatarPath(index),
    timezone: person.timezone,
    created_at: joined.toISOString(),
  });
  addTags(world, fanId, index);
  const subscription = sampleSubscription(index, now);
  if (subscription !== null) rows.fan_benefits.push({ fan_id: fanId, ...subscription });

  const conversationId = idOf(`conversation ${person.externalId}`);
  const authors = staffOf(world, index);
  const ids = lines.map((_, position) => idOf(`message ${person.externalId} ${position}`));
  lines.forEach((line, position) => {
    const id = ids[position] ?? '';
    const at = times[position] ?? now;
    const read = line.fromFan
      ? position < length - Math.min(unread, length)
      : at < now - HOUR_MS || random.chance(0.6);
    const authorId = line.fromFan ? fanId : random.pick(authors);
    rows.messages.push({
      id,
      conversation_id: conversationId,
      seq: position + 1,
      from_fan: line.fromFan,
      author_id: authorId,
      client_message_id: id,
      payload_hash: hashOf(line.text),
      content: line.text,
      reply_to_message_id: line.quotes > 0 ? (ids[position - line.quotes] ?? null) : null,
      created_at: new Date(at).toISOString(),
      read_at: read
        ? new Date(Math.min(now, at + random.between(5, 2_400) * 1_000)).toISOString()
        : null,
      attachments: [],
      campaign_id: null,
    });
    if (random.chance(0.06)) {
      const reactor = line.fromFan ? random.pick(authors) : fanId;
      const emoji = random.pick(REACTION_EMOJI);
      rows.reactions.push({
        id: idOf(`reaction ${id}`),
        message_id: id,
        user_id: reactor,
        emoji,
        created_at: new Date(Math.min(now, at + 60_000)).toISOString(),
      });
    }
  });
  const firstAt = times[0];
  const lastAt = times.at(-1);
  const waitingAt = unanswered > 0 ? times[length - unanswered] : undefined;
  rows.conversations.push({
    id: conversationId,
    fan_id: fanId,
    creator_id: world.creatorId,
    status: index % 17 === 9 ? 'flagged' : index % 9 === 7 ? 'archived' : 'active',
    claimed_by:
      index % 5 === 2
        ? (world.adminIds[Math.floor(index / 5) % world.adminIds.length] ?? null)
        : null,
    unread_count: Math.min(unread, length),
    last_seq: length,
    version: length + 1,
    first_message_at: firstAt === undefined ? null : new Date(firstAt).toISOString(),
    last_message_at: new Date(lastAt ?? 0).toISOString(),
    last_message_content:
      lastAt === undefined
        ? null
        : [...(lines.at(-1)?.text ?? '')].slice(0, PREVIEW_CHARS).join(''),
    waiting_since: waitingAt === undefined ? 'infinity' : new Date(waitingAt).toISOString(),
    // The server fills these from the messages.
    fan_wrote_at: null,
    creator_wrote_at: null,
    mass_message_at: null,
    mass_messages_on_day: null,
    created_at: joined.toISOString(),
  });
}

/** Returns the number of messages in a conversation. One conversation is very long, some are long, and a few are empty. */
function lengthOf(index: number, random: Random): number {
  if (index === 60) return 600;
  if (index % 19 === 18) return 0;
  if (index % 11 === 4) return Math.round(random.between(100, 180));
  return Math.round(3 + random.next() * random.between(3, 60));
}

/** Returns the age of the last message in milliseconds: some are minutes or hours old, some about a day, the rest up to 82 days. */
function ageOf(index: number, random: Random): number {
  if (index % 10 === 0) return random.between(0.5, 55) * MINUTE_MS;
  if (index % 10 <= 2) return random.between(1, 9) * HOUR_MS;
  if (index % 10 <= 4) return random.between(22, 40) * HOUR_MS;
  return random.between(2, 2 + 80 * random.next()) * DAY_MS;
}

/** Returns the time of each line: minutes apart within a subject, hours or days between subjects. The last line is at `end`. */
function timesOf(
  lines: ReturnType<typeof dialogue>,
  end: number,
  now: number,
  random: Random,
): number[] {
  const pauses = lines.map((line, position) =>
    position === 0
      ? 0
      : line.opens
        ? random.between(2, 160) * HOUR_MS
        : random.between(0.4, 14) * MINUTE_MS,
  );
  const total = pauses.reduce((sum, pause) => sum + pause, 0);
  const squeeze = Math.min(1, (SPAN_MS - (now - end)) / total);
  let left = total * squeeze;
  let earlier = Number.NEGATIVE_INFINITY;
  return pauses.map((pause) => {
    left -= pause * squeeze;
    // Keeps times distinct even after scaling.
    earlier = Math.max(Math.round(end - left), earlier + 1);
    return earlier;
  });
}

/** Assigns two or three admins to a fan. */
function staffOf({ adminIds }: World, index: number): string[] {
  const count = 2 + (index % 2);
  return Array.from(
    { length: count },
    (_, offset) => adminIds[(index + offset) % adminIds.length] ?? '',
  );
}

function addTags({ rows, random }: World, fanId: string, index: number): void {
  const count = [0, 1, 2, 0, 1, 3, 1, 0, 2, 5][index % 10] ?? 0;
  const local = index % 4 === 1 && count > 0 ? 1 : 0;
  const first = Math.floor(random.between(0, LIBRARY.length));
  for (let position = 0; position < count; position++) {
    const isLocal = position < local;
    const [label, color] = isLocal ? random.pick(LOCAL_TAGS) : [null, null];
    const [tag] = LIBRARY[(first + position) % LIBRARY.length] ?? LIBRARY[0];
    rows.fan_tags.push({
      id: idOf(`fan tag ${index} ${position}`),
      fan_id: fanId,
      position,
      label,
      color,
      global_tag_id: isLocal ? null : idOf(`tag ${tag}`),
    });
  }
}
