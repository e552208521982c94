import { randomUUID } from 'node:crypto';
import { REACTION_EMOJI } from '@stagedoor/contract/messaging/messages';
import { createPlatformClient, PlatformError } from '@stagedoor/platform-client';
import { opener, reply } from './dialogue.ts';
import { PEOPLE, type SamplePerson } from './people.ts';
import { createRandom } from './random.ts';

export interface LivelyOptions {
  /** The server's address, for example `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly platformKey: string;
  /** Multiplies the speed; 1 by default. */
  readonly rate?: number;
  /** Whether to create missing fans instead of skipping them. */
  readonly join?: boolean;
  /**
   * Returns the platform ids of the fans whom staff have answered since an instant. Without this function, each fan has to poll
   * their conversation, and notices answers later.
   */
  readonly answeredSince?: (since: Date) => Promise<string[]>;
  /** Called with the errors of failed calls. */
  readonly log: (error: unknown) => void;
}

/** Milliseconds between two calls, at normal speed. */
const TICK_MS = 1_000;
const SECOND_MS = 1_000;
/** The range of seconds between two unprompted messages. */
const WRITES_EVERY = [8, 25] as const;
/** The ranges of seconds from an answer until the fan has read it, and until the fan replies. */
const READS_AFTER = [2, 4] as const;
const ANSWERS_AFTER = [4, 12] as const;
/** The number of unanswered messages after which a fan waits for an answer. */
const PATIENCE = 3;
/** Every third fan writes unprompted; if all did, the inbox would fill up with unread messages. */
const WRITERS = 3;
/** The maximum age of an answer to which a fan reacts. Older answers get no reaction, as if the fan were away. Milliseconds. */
const FRESH_MS = 120 * SECOND_MS;
/** How often a conversation is checked, by the age of its latest message. Milliseconds. */
const INTERVALS = [
  { youngerThan: 10 * 60 * SECOND_MS, every: 6 * SECOND_MS },
  { youngerThan: 24 * 3_600 * SECOND_MS, every: 60 * SECOND_MS },
  { youngerThan: Number.POSITIVE_INFINITY, every: 240 * SECOND_MS },
];
/** How often a conversation is checked if `answeredSince` reports the answers. Milliseconds. */
const REPORTED_INTERVAL_MS = 10 * 60 * SECOND_MS;

interface FanState {
  readonly person: SamplePerson;
  /** When to check next, in milliseconds since the epoch; infinity for a fan who doesn't exist. */
  checkAt: number;
  /** The last staff message that the fan has reacted to. */
  seenId: string | null;
  /** Number of the fan's newest messages without an answer. */
  unanswered: number;
}

interface Plan {
  readonly at: number;
  readonly run: () => Promise<void>;
}

/**
 * Simulates fans who write, read, answer and react through the platform API, as on a real platform. Makes at most one call a
 * second at normal speed. The fans poll their conversations for answers, more often if the latest message is recent.
 * @returns an object whose `stop` ends the simulation and resolves once no call is in progress
 */
export function startLively(options: LivelyOptions): { stop(): Promise<void> } {
  const rate = options.rate ?? 1;
  const random = createRandom();
  const fans: FanState[] = PEOPLE.map((person) => ({
    person,
    // Spread out, so that the fans don't all check at once.
    checkAt: Date.now() + random.between(0, 60) * SECOND_MS,
    seenId: null,
    unanswered: 0,
  }));
  const stopped = new AbortController();
  let creatorId: string | null = null;
  let plans: Plan[] = [];
  let noticedUntil = new Date();
  let writesAt = Date.now() + 5 * SECOND_MS;
  const within = ([from, to]: readonly [number, number]) =>
    (random.between(from, to) * SECOND_MS) / rate;
  const plan = (at: number, run: () => Promise<void>) => plans.push({ at, run });

  // A failed call is not retried: the fan does something else on its next turn.
  const platform = createPlatformClient({
    url: options.url,
    key: options.platformKey,
    retries: 0,
  });
  const { signal } = stopped;

  const intervalFor = (age: number) =>
    options.answeredSince
      ? REPORTED_INTERVAL_MS
      : (INTERVALS.find((entry) => age < entry.youngerThan)?.every ?? 0);

  const write = async (fan: FanState, content: string) => {
    const message = { client_id: `lively-${randomUUID()}`, content };
    await platform.sendMessage(fan.person.externalId, message, { signal });
    fan.unanswered++;
    fan.checkAt = Date.now() + intervalFor(0);
  };

  /** Checks the end of a conversation, and plans the reaction to a new answer. */
  async function look(fan: FanState): Promise<void> {
    const id = fan.person.externalId;
    fan.checkAt = Date.now() + intervalFor(Number.MAX_SAFE_INTEGER);
    const latest = await platform.listMessages(id, { limit: PATIENCE + 1, signal });
    const newest = latest[0];
    if (newest === undefined) return;
    const answered = latest.findIndex((message) => message.sender_id === creatorId);
    fan.unanswered = answered === -1 ? latest.length : answered;
    const writtenAt = Date.parse(newest.created_at);
    const age = Date.now() - writtenAt;
    fan.checkAt = Date.now() + intervalFor(age);
    if (answered !== 0 || newest.id === fan.seenId) return;
    fan.seenId = newest.id;
    if (age > FRESH_MS) return;
    const readsAt = writtenAt + within(READS_AFTER);
    plan(readsAt, async () => void (await platform.markRead(id, newest.id, { signal })));
    if (random.chance(0.25)) {
      const emoji = random.pick(REACTION_EMOJI);
      plan(
        readsAt + SECOND_MS,
        async () => void (await platform.react(id, newest.id, emoji, { signal })),
      );
    }
    // A fan replies only after reading, even if the answer was noticed late.
    const answersAt = Math.max(writtenAt + within(ANSWERS_AFTER), readsAt + SECOND_MS);
    if (random.chance(0.85)) plan(answersAt, () => write(fan, reply(fan.person, random)));
  }

  async function join(fan: FanState): Promise<void> {
    const { person } = fan;
    const profile = {
      first_name: person.firstName,
      last_name: person.lastName,
      username: person.username,
      email: person.email,
      timezone: person.timezone,
    };
    await platform.putFan(person.externalId, profile, { signal });
    fan.checkAt = Math.min(fan.checkAt, Date.now() + intervalFor(0));
  }

  /** Does one thing per tick: a planned call if one is due, else an unprompted message, else a check. */
  async function act(): Promise<void> {
    const now = Date.now();
    if (creatorId === null) {
      creatorId = (await platform.getCreator({ signal })).id;
      return;
    }
    const due = plans.filter((entry) => entry.at <= now).sort((a, b) => a.at - b.at)[0];
    if (due !== undefined) {
      plans = plans.filter((entry) => entry !== due);
      return due.run();
    }
    const writer = random.pick(fans.filter((_, index) => index % WRITERS === 0));
    if (now >= writesAt) {
      writesAt = now + within(WRITES_EVERY);
      if (options.join) await join(writer);
      const present = writer.checkAt !== Number.POSITIVE_INFINITY;
      if (present && writer.unanswered < PATIENCE)
        return forget(writer, write(writer, opener(writer.person, random)));
    }
    await noticeAnswers();
    const next = fans.reduce((earliest, fan) => (fan.checkAt < earliest.checkAt ? fan : earliest));
    if (next.checkAt <= now) return forget(next, look(next));
  }

  async function noticeAnswers(): Promise<void> {
    if (!options.answeredSince) return;
    const since = noticedUntil;
    // Overlaps by two seconds, because a message gets its time before it is committed and could otherwise be missed.
    noticedUntil = new Date(Date.now() - 2 * SECOND_MS);
    const answered = new Set(await options.answeredSince(since));
    for (const fan of fans) if (answered.has(fan.person.externalId)) fan.checkAt = 0;
  }

  /** Awaits a call for a fan, and skips the fan from then on if the server doesn't know them. */
  async function forget(fan: FanState, calling: Promise<void>): Promise<void> {
    await calling.catch((error: unknown) => {
      if (!(error instanceof PlatformError) || error.code !== 'fan_not_found') throw error;
      fan.checkAt = Number.POSITIVE_INFINITY;
    });
  }

  const loop = (async () => {
    while (!stopped.signal.aborted) {
      await pause(TICK_MS / rate, stopped.signal);
      if (stopped.signal.aborted) return;
      await act().catch((error: unknown) => {
        if (!stopped.signal.aborted) options.log(error);
      });
    }
  })();
  return {
    async stop() {
      stopped.abort();
      await loop;
    },
  };
}

/** Waits. Resolves early, without an error, when the signal aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
}
