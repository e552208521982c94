import type { FanTables, MessageRow } from './fans.ts';
import type { Random } from './random.ts';
import { hashOf, idOf, type Row } from './row.ts';
import { attachmentOf, type SaleTables, type StoredProduct } from './sales.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The rows of campaigns, and of their recipients. */
export interface CampaignTables {
  readonly campaigns: Row[];
  readonly campaign_variants: Row[];
  readonly campaign_recipients: Row[];
}

interface Setting {
  readonly fans: FanTables;
  readonly sales: SaleTables;
  readonly products: readonly StoredProduct[];
  readonly managerId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly random: Random;
}

/** A campaign that has begun. */
interface Begun {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** `appeal` is the probability that a reader of the text buys. */
  readonly variants: readonly { readonly text: string; readonly appeal: number }[];
  readonly product: StoredProduct | null;
  /** Returns when the fan at an index gets the message; null: at the start of the campaign. */
  readonly dueAt: (index: number) => number | null;
}

/** The texts of a finished campaign. The second one sells better. */
const VARIANTS = [
  { text: 'Hi {first_name|there}! The lyric print of Low Tide is here.', appeal: 0.2 },
  {
    text: '{first_name|Hey}, I wrote Low Tide at four in the morning. Here is the page, if you want it.',
    appeal: 0.4,
  },
] as const;

const FINISHED = idOf('campaign low tide');
const RUNNING = idOf('campaign rehearsal');
const RUNNING_TEXT =
  'Hi {first_name|there}, we rehearsed all night. Tell me which song you miss live.';
const PRICE_CENTS = 799;

/** Returns a finished, a running, a scheduled and a draft campaign, and adds the messages of the first two to the conversations. */
export function sampleCampaigns(setting: Setting): CampaignTables {
  const { managerId, now, products } = setting;
  const product = products.find(({ painting }) => painting === 'tide');
  if (product === undefined) throw new Error('there is no such product');
  const startedAt = now - 4 * DAY_MS;
  const finished = addMessages(setting, {
    id: FINISHED,
    startedAt,
    variants: VARIANTS,
    product,
    dueAt: () => null,
  });
  const begunAt = now - 3 * HOUR_MS;
  const running = addMessages(setting, {
    id: RUNNING,
    startedAt: begunAt,
    variants: [{ text: RUNNING_TEXT, appeal: 0 }],
    product: null,
    // In some fans' time zones it is not evening yet, so these fans get the message later.
    dueAt: (index) => (index % 3 === 0 ? null : now + (6 + (index % 12)) * HOUR_MS),
  });
  const countsOf = (recipients: readonly Row[], variant: number) => {
    const own = recipients.filter((row) => row.variant === variant);
    const count = (state: string) => own.filter((row) => row.state === state).length;
    return { audience: own.length, sent: count('sent'), skipped: count('skipped'), unsent: 0 };
  };
  const nextWeek = iso(now + 7 * DAY_MS);
  return {
    campaigns: [
      {
        ...campaign(FINISHED, 'Low Tide, lyric print', managerId, startedAt - HOUR_MS),
        state: 'finished',
        exclude: { in_conversation: true },
        started_by: managerId,
        started_at: iso(startedAt),
        begin_at: iso(startedAt),
        audience_at: iso(startedAt),
        finished_at: iso(startedAt + 2 * MINUTE_MS),
      },
      {
        ...campaign(RUNNING, 'Rehearsal', managerId, begunAt - HOUR_MS),
        state: 'running',
        exclude: { in_conversation: true },
        send_at: iso(begunAt),
        fan_local_time: true,
        started_by: managerId,
        started_at: iso(begunAt),
        begin_at: iso(begunAt),
        audience_at: iso(begunAt),
      },
      {
        ...campaign(idOf('campaign diary'), 'Tour diary', managerId, now - 2 * HOUR_MS),
        state: 'scheduled',
        exclude: { unread: true },
        send_at: nextWeek,
        begin_at: nextWeek,
        started_by: managerId,
      },
      campaign(idOf('campaign posters'), 'Posters for Lisbon', managerId, now - HOUR_MS),
    ],
    campaign_variants: [
      ...VARIANTS.map(({ text }, variant) => ({
        campaign_id: FINISHED,
        variant,
        content: text,
        attachments: [attachmentOf(idOf(`offer ${FINISHED}`), product, PRICE_CENTS)],
        share: 50,
        ...countsOf(finished, variant),
      })),
      { ...onlyVariant('campaign rehearsal', RUNNING_TEXT), ...countsOf(running, 0) },
      onlyVariant('campaign diary', 'Hi {first_name|there}, here is what happened this week.'),
      onlyVariant('campaign posters', 'The last posters are here, {first_name|friend}.'),
    ],
    campaign_recipients: [...finished, ...running],
  };
}

const iso = (at: number) => new Date(at).toISOString();

/** Returns a draft campaign to all fans. */
const campaign = (id: string, name: string, created_by: string, createdAt: number): Row => ({
  id,
  name,
  state: 'draft',
  rule: { all: [] },
  exclude: {},
  send_at: null,
  fan_local_time: false,
  created_by,
  created_at: iso(createdAt),
  started_by: null,
  started_at: null,
  begin_at: null,
  audience_at: null,
  finished_at: null,
});

const onlyVariant = (name: string, content: string): Row => ({
  campaign_id: idOf(name),
  variant: 0,
  content,
  attachments: [],
  share: 100,
  audience: 0,
  sent: 0,
  skipped: 0,
  unsent: 0,
});

/** Inserts a campaign's messages into the conversations in chronological order. @returns the campaign's recipients */
function addMessages(setting: Setting, begun: Begun): Row[] {
  const { fans, sales } = setting;
  const { id: campaign_id, startedAt, variants, product, dueAt } = begun;
  const owners = new Set(
    sales.purchases
      .filter((row) => row.product_id === product?.id && row.refunded_at === null)
      .map(({ fan_id }) => fan_id),
  );
  return fans.conversations.flatMap((conversation, index): Row[] => {
    if (Date.parse(String(conversation.created_at)) > startedAt) return [];
    const { id, fan_id } = conversation;
    const variant = index % variants.length;
    const at = startedAt + index * 1_000;
    const written = fans.messages
      .filter(({ conversation_id }) => conversation_id === id)
      .sort((one, other) => one.seq - other.seq);
    const before = written.filter(({ created_at }) => Date.parse(created_at) < at);
    const last = before.at(-1);
    const isTalking = last !== undefined && Date.parse(last.created_at) > at - 30 * MINUTE_MS;
    const reason = owners.has(fan_id) ? 'owns_product' : isTalking ? 'in_conversation' : null;
    const later = written.slice(before.length);
    const recipient = {
      campaign_id,
      fan_id,
      conversation_id: id,
      variant,
      reason,
      was_read: false,
      has_replied: false,
    };
    const due = dueAt(index);
    if (due !== null)
      return [
        {
          ...recipient,
          reason: null,
          state: 'pending',
          message_id: null,
          due_at: iso(due),
          sent_at: null,
        },
      ];
    if (reason !== null)
      return [{ ...recipient, state: 'skipped', message_id: null, due_at: iso(at), sent_at: null }];
    for (const each of later) each.seq += 1;
    const message = addMessage(setting, begun, {
      id,
      fan_id,
      variant,
      seq: before.length + 1,
      at,
    });
    conversation.last_seq = written.length + 1;
    conversation.version = written.length + 2;
    conversation.mass_message_at = iso(at);
    conversation.mass_messages_on_day = 1;
    return [
      {
        ...recipient,
        state: 'sent',
        message_id: message.id,
        due_at: iso(at),
        sent_at: iso(at),
        was_read: message.read_at !== null,
        has_replied: later.some(
          ({ from_fan, created_at }) => from_fan && Date.parse(created_at) <= at + DAY_MS,
        ),
      },
    ];
  });
}

interface Sending {
  /** The conversation's id. */
  readonly id: string;
  readonly fan_id: string;
  readonly variant: number;
  readonly seq: number;
  readonly at: number;
}

function addMessage(setting: Setting, begun: Begun, sending: Sending): MessageRow {
  const { fans, sales, managerId, now, random } = setting;
  const { id: conversation_id, fan_id, variant, seq, at } = sending;
  const { id: campaign_id, product } = begun;
  const { text, appeal } = begun.variants[variant] ?? { text: '', appeal: 0 };
  const name = fans.fans.find(({ id }) => id === fan_id)?.first_name;
  const content = text.replace(/\{first_name\|(\w+)\}/, (_, fallback) => String(name || fallback));
  const message_id = idOf(`mass message ${campaign_id} ${fan_id}`);
  const readAt = at + random.between(2, Math.min(2_000, (now - at) / MINUTE_MS)) * MINUTE_MS;
  const isRead = random.chance(0.7) && readAt < now;
  const message: MessageRow = {
    id: message_id,
    conversation_id,
    seq,
    from_fan: false,
    author_id: managerId,
    client_message_id: `campaign ${campaign_id} ${fan_id}`,
    payload_hash: hashOf(content),
    content,
    reply_to_message_id: null,
    created_at: iso(at),
    read_at: isRead ? iso(readAt) : null,
    attachments: [],
    campaign_id,
  };
  fans.messages.push(message);
  if (product === null) return message;
  const attachment = attachmentOf(idOf(`mass offer ${fan_id}`), product, PRICE_CENTS);
  message.attachments = [attachment];
  const send = {
    attachment_id: attachment.id,
    message_id,
    conversation_id,
    fan_id,
    product_id: product.id,
    admin_id: managerId,
    campaign_id,
    price_cents: PRICE_CENTS,
  };
  sales.product_sends.push({ ...send, sent_at: message.created_at });
  count(sales, product, 'times_sent');
  const boughtAt = readAt + random.between(1, 90) * MINUTE_MS;
  if (isRead && boughtAt < now && random.chance(appeal)) {
    count(sales, product, 'times_purchased');
    sales.purchases.push({
      ...send,
      id: idOf(`mass purchase ${fan_id}`),
      amount_cents: PRICE_CENTS,
      payment_reference: `sample-mass-${fan_id}`,
      payload_hash: hashOf(message_id),
      purchased_at: iso(boughtAt),
      refunded_at: null,
      created_at: iso(boughtAt),
    });
  }
  return message;
}

function count(sales: SaleTables, { id }: StoredProduct, figure: 'times_sent' | 'times_purchased') {
  const row = sales.products.find((each) => each.id === id);
  if (row !== undefined) row[figure] = Number(row[figure]) + 1;
}
