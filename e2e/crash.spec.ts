import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { getConversation } from '@stagedoor/contract/inbox/conversations';
import { listMessages, type Message } from '@stagedoor/contract/messaging/messages';
import { type PlatformFan, postFanMessage, putFan } from '@stagedoor/contract/platform/platform';
import { requestOtp, verifyOtp } from '@stagedoor/contract/team/auth';
import { unique } from '../apps/server/test/factories.ts';
import { type HttpClient, httpClient } from '../apps/server/test/http-client.ts';
import { persist, persistentSender } from '../apps/server/test/persistent-sender.ts';
import { seededRandom } from '../apps/server/test/random.ts';
import { until } from '../apps/server/test/until.ts';
import { test as base, expect } from './support/journey.ts';
import { OWNER_EMAIL, PLATFORM_KEY, type ServerProcess, startServer } from './support/server.ts';

/** The number of confirmed messages between two kills, so that each kill hits a busy server. */
const BETWEEN_KILLS = 40;
const KILLS = ['server', 'database', 'both', 'server'] as const;

const test = base.extend<{ server: ServerProcess }>({
  /* oxlint-disable no-empty-pattern */
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from the pattern
  server: async ({}, use) => {
    const server = await startServer();
    await use(server);
    await server.dispose();
  },
});

interface Sent {
  readonly sender: string;
  readonly conversationId: string;
  readonly content: string;
  readonly confirmed: boolean;
}

async function signIn(server: ServerProcess): Promise<string> {
  const anonymous = httpClient(server.url, null);
  await anonymous.call(requestOtp, { body: { email: OWNER_EMAIL } });
  const code = await server.smtp.codeFor(OWNER_EMAIL);
  const { body } = await anonymous.call(verifyOtp, { body: { email: OWNER_EMAIL, code } });
  return body.token;
}

async function killDatabase({ dataDir }: ServerProcess): Promise<void> {
  const cluster = (await readdir(dataDir)).find((name) => /^postgres-\d+$/.test(name)) ?? '';
  const lines = await readFile(path.join(dataDir, cluster, 'postmaster.pid'), 'utf8');
  process.kill(Number(lines.split('\n')[0]), 'SIGKILL');
}

/** Returns every message of a conversation, oldest first. */
async function everyMessage(client: HttpClient, id: string): Promise<Message[]> {
  const found: Message[] = [];
  for (let more = true; more; ) {
    const before = found[0]?.id;
    const { body } = await client.call(listMessages, {
      params: { id },
      query: { limit: 200, ...(before !== undefined && { before }) },
    });
    found.unshift(...body.data);
    more = body.has_more;
  }
  return found;
}

test('no confirmed message is lost, duplicated or out of order, whichever process is killed', async ({
  server,
}) => {
  const random = seededRandom();
  const token = await signIn(server);
  const staff = httpClient(server.url, token);
  const platform = httpClient(server.url, PLATFORM_KEY);
  const fans: PlatformFan[] = [];
  for (let number = 0; number < 3; number++) {
    const { body } = await platform.call(putFan, { params: { fan: `fan-${number}` }, body: {} });
    fans.push(body.data);
  }
  const sent: Sent[] = [];
  let isOver = false;
  const confirmedCount = () => sent.filter(({ confirmed }) => confirmed).length;

  async function work(
    sender: string,
    send: (fan: PlatformFan, content: string) => Promise<unknown>,
  ) {
    for (let number = 0; !isOver; number++) {
      const fan = random.pick(fans);
      const content = `${sender} ${number}`;
      const confirmed = (await send(fan, content)) !== null;
      sent.push({ sender, conversationId: fan.conversation_id, content, confirmed });
    }
  }
  const staffSenders = Array.from({ length: 4 }, () => persistentSender(server.url, token));
  const working = [
    ...staffSenders.map((sender, index) =>
      work(`staff${index}`, (fan, content) => sender.send(fan.conversation_id, content)),
    ),
    ...Array.from({ length: 4 }, (_, index) =>
      work(`fan${index}`, (fan, content) => {
        const body = { client_id: unique('client'), content };
        return persist(() =>
          platform.call(postFanMessage, { params: { fan: fan.external_id }, body }),
        );
      }),
    ),
  ];

  for (const victim of KILLS) {
    const target = confirmedCount() + BETWEEN_KILLS;
    await until('work goes on', () => confirmedCount() >= target);
    if (victim !== 'server') await killDatabase(server);
    if (victim !== 'database') {
      await server.kill();
      await server.start();
    }
  }
  const target = confirmedCount() + BETWEEN_KILLS;
  await until('work goes on after the last', () => confirmedCount() >= target);
  isOver = true;
  await Promise.all(working);
  for (const sender of staffSenders) sender.close();

  const counts = {
    kills: KILLS.length,
    confirmed: confirmedCount(),
    gaveUp: 0,
    stored: 0,
    lost: 0,
    doubled: 0,
    gaps: 0,
    backwards: 0,
    misplaced: 0,
  };
  counts.gaveUp = sent.length - counts.confirmed;
  for (const fan of fans) {
    const messages = await everyMessage(staff, fan.conversation_id);
    const places = new Map<string, number[]>();
    for (const { content, seq } of messages)
      places.set(content, [...(places.get(content) ?? []), seq]);
    counts.stored += messages.length;
    counts.doubled += [...places.values()].filter(({ length }) => length > 1).length;
    counts.gaps += messages.filter(({ seq }, index) => seq !== index + 1).length;
    counts.backwards += messages.filter(
      ({ created_at }, index) => index > 0 && created_at <= (messages[index - 1]?.created_at ?? ''),
    ).length;
    const ofHere = sent.filter(({ conversationId }) => conversationId === fan.conversation_id);
    counts.lost += ofHere.filter(
      ({ content, confirmed }) => confirmed && !places.has(content),
    ).length;
    // Each sender sends only one message at a time, so its messages must be in order.
    for (const name of new Set(ofHere.map(({ sender }) => sender))) {
      const seqs = ofHere
        .filter(({ sender, confirmed }) => sender === name && confirmed)
        .map(({ content }) => places.get(content)?.[0] ?? 0);
      counts.misplaced += seqs.filter(
        (seq, index) => index > 0 && seq <= (seqs[index - 1] ?? 0),
      ).length;
    }
    const unread = messages.filter(
      ({ author, read_at }) => author === null && read_at === null,
    ).length;
    const { body } = await staff.call(getConversation, { params: { id: fan.conversation_id } });
    expect(body.data.unread_count).toBe(unread);
    expect(body.data.last_seq).toBe(messages.length);
  }
  const by = staffSenders.map(({ confirmedBy }) => confirmedBy);
  const [live, http] = [
    by.reduce((sum, { live }) => sum + live, 0),
    by.reduce((sum, { http }) => sum + http, 0),
  ];
  console.log(
    'after the crashes:',
    JSON.stringify({ ...counts, staff: { live, http }, seed: random.seed }),
  );
  expect(counts).toMatchObject({
    lost: 0,
    doubled: 0,
    gaps: 0,
    backwards: 0,
    misplaced: 0,
    gaveUp: 0,
  });
  expect(http).toBeGreaterThan(0);
  expect(await server.stop()).toBe(0);
});
