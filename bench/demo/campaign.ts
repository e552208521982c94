import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Campaign,
  type CampaignRecipient,
  getCampaign,
  listRecipients,
  RECIPIENT_PAGE_MAX,
  startCampaign,
} from '@stagedoor/contract/selling/campaigns';
import { until } from '../../apps/server/test/until.ts';
import type { Call } from '../lib/calls.ts';

/** A mass message to the demo's fans. */
export interface MassMessage {
  readonly id: string;
  /** The audience is all fans created since this time. ISO 8601. */
  readonly since: string;
}

const PATIENCE_MS = 3_600_000;
const GREETING = 'For you, ';

/** Returns a campaign to all fans, with an offer. */
export const messageAbout = (product_id: string) => ({
  name: 'To everyone',
  variants: [
    {
      content: `${GREETING}{first_name}`,
      attachments: [{ product_id, is_paid: true as const, price: 9 }],
    },
  ],
  audience: { rule: { all: [] } },
});

/** Returns whether a message is a mass message. Looks at the text, because the messages that fans receive have no campaign id. */
export const isMassMessage = ({ content }: { readonly content: string }): boolean =>
  content.startsWith(GREETING);

/** Starts a campaign and waits until it is finished. @param look called with the campaign every `lookMs` milliseconds */
export async function send(
  owner: Call,
  id: string,
  lookMs: number,
  look: (campaign: Campaign) => void = () => undefined,
): Promise<Campaign> {
  const params = { id };
  await owner(startCampaign, { params });
  return until(
    'the campaign has finished',
    async () => {
      await sleep(lookMs);
      const { data } = await owner(getCampaign, { params });
      look(data);
      return data.state === 'finished' && data;
    },
    PATIENCE_MS,
  );
}

/** Returns how long a finished campaign took. Seconds. */
export const secondsOf = ({ started_at, finished_at }: Campaign): number =>
  (Date.parse(finished_at ?? '') - Date.parse(started_at ?? '')) / 1000;

/** Reads a finished campaign's results and recipients. @param received as in {@link compare} */
export async function resultsOf(
  owner: Call,
  id: string,
  received: ReadonlyMap<string, readonly string[]>,
) {
  const params = { id };
  const recipients: CampaignRecipient[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = { limit: RECIPIENT_PAGE_MAX, cursor };
    const page = await owner(listRecipients, { params, query });
    recipients.push(...page.data);
    cursor = page.next_cursor;
  }
  const skipped: Record<string, number> = {};
  for (const { reason } of recipients)
    if (reason !== null) skipped[reason] = (skipped[reason] ?? 0) + 1;
  const { data } = await owner(getCampaign, { params });
  const { audience, sent, read, replied, purchases } = data.counts;
  const a_second = Math.round(audience / secondsOf(data));
  const wrong = compare(recipients, received);
  return { audience, sent, skipped, a_second, read, replied, purchases, ...wrong };
}

/**
 * Counts fans without exactly one decided recipient row, and fans whose mass messages don't match that row.
 * @param received for each fan of the audience, by conversation id: the ids of the mass messages in the conversation
 */
export function compare(
  recipients: readonly Pick<CampaignRecipient, 'conversation_id' | 'state' | 'message_id'>[],
  received: ReadonlyMap<string, readonly string[]>,
) {
  const wrong = { undecided: 0, contradicted: 0 };
  const byConversation = new Map<string, (typeof recipients)[number][]>();
  for (const each of recipients) {
    const own = byConversation.get(each.conversation_id) ?? [];
    byConversation.set(each.conversation_id, [...own, each]);
  }
  for (const [conversation, messages] of received) {
    const [recipient, ...more] = byConversation.get(conversation) ?? [];
    const isDecided = recipient !== undefined && recipient.state !== 'pending';
    if (!isDecided || more.length > 0) wrong.undecided++;
    if (messages.join() !== (recipient?.message_id ?? '')) wrong.contradicted++;
  }
  return wrong;
}
