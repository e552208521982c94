import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Conversation,
  getConversation,
  inboxStats,
} from '@stagedoor/contract/inbox/conversations';
import {
  listMessages,
  MESSAGE_PAGE_MAX,
  type Message,
} from '@stagedoor/contract/messaging/messages';
import { type Call, caller } from '../lib/calls.ts';
import type { StoredWorld } from './client.ts';
import type { Send } from './ledger.ts';
import type { World } from './world.ts';

/** Time limit for clients to show the stored state, and the interval between checks. Milliseconds. */
const CLIENTS_WITHIN = 30_000;
const POLL_MS = 250;
/** The maximum number of examples reported per invariant. */
const DETAILS = 3;

/** Conditions that must hold after each run, regardless of the fault. */
export const INVARIANTS = {
  lost: 'every confirmed message is stored unchanged',
  doubled: 'no message is stored twice',
  rows: 'by plain SQL, the database has each confirmed message once',
  order: 'times rise with `seq`, and each sender’s messages are in order',
  gaps: '`seq` has no gaps',
  unread: 'unread counts are right',
  last_message: 'the inbox shows each conversation’s last message',
  clients: 'every client shows what a fresh fetch returns',
  late: 'time limits hold, and sends pending at the last fault settle within 10 s',
  failed: 'no send failed',
  promised: 'what else the fault must not break',
} as const;

export type Invariant = keyof typeof INVARIANTS;

/** How often each invariant was broken, with examples, and how many messages are stored. */
export interface Verdict {
  readonly broken: Readonly<Record<Invariant, number>>;
  readonly examples: readonly string[];
  readonly stored: number;
}

export class Findings {
  readonly #broken = Object.fromEntries(Object.keys(INVARIANTS).map((name) => [name, 0])) as Record<
    Invariant,
    number
  >;
  readonly #examples: string[] = [];

  add(invariant: Invariant, example: string): void {
    this.#broken[invariant]++;
    if (this.#broken[invariant] <= DETAILS) this.#examples.push(`${invariant}: ${example}`);
  }

  verdict(stored: number): Verdict {
    return { broken: { ...this.#broken }, examples: [...this.#examples], stored };
  }
}

const reader = ({ installation, ownerToken }: World): Call =>
  caller({ url: installation.url, token: ownerToken, timeoutMs: 20_000 });

/** Waits until every client shows the stored state, and adds a finding for each difference left at the time limit. */
export async function checkClients(world: World, findings: Findings): Promise<void> {
  const call = reader(world);
  let left = await differences(world, call);
  for (const until = Date.now() + CLIENTS_WITHIN; left.length > 0 && Date.now() < until; ) {
    await sleep(POLL_MS);
    left = await differences(world, call);
  }
  for (const difference of left) findings.add('clients', difference);
}

/** Reads everything directly from the server and compares it with the messages that were sent and confirmed. */
export async function checkStored(world: World, findings: Findings): Promise<Verdict> {
  const call = reader(world);
  const messages = await everything(world, call);
  let unreadConversations = 0;
  for (const [id, stored] of messages) {
    const { data } = await call(getConversation, { params: { id } });
    checkConversation(data, stored, findings);
    if (data.unread_count > 0) unreadConversations++;
    const sends = world.ledger.sends.filter((send) => send.conversation === id);
    checkSends(sends, stored, findings);
  }
  const { data: stats } = await call(inboxStats, { query: { tz: 'UTC' } });
  if (stats.unread_count !== unreadConversations) {
    findings.add(
      'unread',
      `${stats.unread_count} unread conversations instead of ${unreadConversations}`,
    );
  }
  await checkRows(world, findings);
  return findings.verdict([...messages.values()].reduce((sum, { length }) => sum + length, 0));
}

/** Compares the stored rows with the clients' confirmations. Reads the database directly. */
async function checkRows({ installation, ledger }: World, findings: Findings): Promise<void> {
  const rows = await storedMessages(installation);
  const ids = new Map(rows.map(({ id, content }) => [content, id]));
  const copies = rows.length - ids.size;
  if (copies > 0) findings.add('rows', `${copies} messages are stored twice`);
  for (const { content, outcome, id } of ledger.sends) {
    if (outcome === 'confirmed' && ids.get(content) !== id) findings.add('rows', content);
  }
}

async function storedMessages({ database }: World['installation']) {
  const client = await database.connect();
  try {
    const sql = 'select id, content from messages';
    return (await client.query<{ id: string; content: string }>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function differences(world: World, call: Call): Promise<string[]> {
  const stored: StoredWorld = { messages: await everything(world, call) };
  const found: string[] = [];
  for (const client of world.clients) found.push(...((await client.differences?.(stored)) ?? []));
  return found;
}

async function everything(world: World, call: Call): Promise<Map<string, Message[]>> {
  const all = new Map<string, Message[]>();
  for (const id of world.fans.keys()) {
    const found: Message[] = [];
    for (let more = true; more; ) {
      const before = found[0]?.id;
      const page = await call(listMessages, {
        params: { id },
        query: { limit: MESSAGE_PAGE_MAX, ...(before !== undefined && { before }) },
      });
      found.unshift(...page.data);
      more = page.has_more;
    }
    all.set(id, found);
  }
  return all;
}

function checkConversation(
  conversation: Conversation,
  stored: readonly Message[],
  findings: Findings,
): void {
  const { id, last_seq, unread_count } = conversation;
  stored.forEach((message, index) => {
    const before = stored[index - 1];
    if (message.seq !== index + 1)
      findings.add('gaps', `${id}: ${message.seq} instead of ${index + 1}`);
    if (before !== undefined && message.created_at <= before.created_at) {
      findings.add('order', `${id}: ${before.created_at}, then ${message.created_at}`);
    }
  });
  if (last_seq !== stored.length)
    findings.add('gaps', `${id}: last_seq ${last_seq} instead of ${stored.length}`);
  const unread = stored.filter(({ author, read_at }) => author === null && read_at === null).length;
  if (unread_count !== unread)
    findings.add('unread', `${id}: ${unread_count} instead of ${unread}`);
  const last = stored.at(-1);
  const isShown =
    conversation.last_message_content === (last?.content ?? null) &&
    (last === undefined || conversation.last_message_at === last.created_at);
  if (!isShown)
    findings.add(
      'last_message',
      `${id}: ${conversation.last_message_content} instead of ${last?.content}`,
    );
}

function checkSends(sends: readonly Send[], stored: readonly Message[], findings: Findings): void {
  const byContent = new Map<string, Message[]>();
  for (const message of stored) {
    byContent.set(message.content, [...(byContent.get(message.content) ?? []), message]);
  }
  for (const [content, { length }] of byContent) {
    for (let extra = 1; extra < length; extra++) findings.add('doubled', content);
  }
  const lastSeq = new Map<string, number>();
  for (const { sender, content, outcome, id } of sends) {
    if (outcome !== 'confirmed') continue;
    const found = byContent.get(content)?.find((message) => message.id === id);
    if (found === undefined) {
      findings.add('lost', content);
      continue;
    }
    if (found.seq <= (lastSeq.get(sender) ?? 0)) findings.add('order', `${content} is too early`);
    lastSeq.set(sender, found.seq);
  }
}
