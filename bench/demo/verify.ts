import { type MassMessage, resultsOf } from './campaign.ts';
import { inParallel } from './in-parallel.ts';
import type { World } from './world.ts';

const READING = 8;

/** The result of reading the conversations back and comparing them with the confirmed messages. */
export interface Stored {
  readonly conversations: number;
  /** Confirmed messages that are missing. */
  readonly lost: number;
  /** Messages that are returned more than once. */
  readonly doubled: number;
  /** Pairs of adjacent messages where `seq` doesn't rise by one or the time doesn't rise. */
  readonly outOfOrder: number;
  /** The results of the mass message; null if none was sent. */
  readonly campaign: Awaited<ReturnType<typeof resultsOf>> | null;
}

/** Reads, as the fan sees it, every conversation that has a confirmed message or belongs to the mass message's audience. */
export async function readBack(
  world: World,
  campaign: MassMessage | null,
  signal: AbortSignal,
): Promise<Stored> {
  const expected = new Map<string, Set<string>>();
  for (const { id, conversation } of world.ledger.confirmed.values()) {
    expected.set(conversation, (expected.get(conversation) ?? new Set()).add(id));
  }
  const received = new Map<string, string[]>();
  for (const { conversationId, createdAt } of world.everyone)
    if (campaign !== null && createdAt >= campaign.since) received.set(conversationId, []);
  const touched = world.everyone.filter(
    ({ conversationId }) => expected.has(conversationId) || received.has(conversationId),
  );
  const found = { conversations: 0, lost: 0, doubled: 0, outOfOrder: 0 };
  await inParallel(touched, READING, signal, async (fan) => {
    const seen = new Set<string>();
    let later: { seq: number; created_at: string } | null = null;
    for await (const message of world.platform.eachMessage(fan.id)) {
      if (seen.has(message.id)) found.doubled++;
      seen.add(message.id);
      if (message.campaign_id === campaign?.id) received.get(fan.conversationId)?.push(message.id);
      const follows =
        later === null || (later.seq === message.seq + 1 && later.created_at > message.created_at);
      if (!follows) found.outOfOrder++;
      later = message;
    }
    for (const id of expected.get(fan.conversationId) ?? []) if (!seen.has(id)) found.lost++;
    found.conversations++;
  });
  const results = campaign && (await resultsOf(world.owner.call, campaign.id, received));
  return { ...found, campaign: results };
}
