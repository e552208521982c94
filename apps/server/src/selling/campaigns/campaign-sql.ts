import { campaignTextParts } from '@stagedoor/contract/selling/campaign-text';
import type { CampaignExclusions } from '@stagedoor/contract/selling/campaigns';
import type { TeamSettings } from '@stagedoor/contract/team/settings';
import type { AddValue } from '../../db/searches.ts';
import { lastWritten } from '../../db/written-times.ts';
import { ZONES_OF_ABBREVIATIONS, zoneForDatabase } from '../../db/zones.ts';
import type { StoredAttachment } from '../../media/stored-attachment.ts';

/** One of a campaign's messages. */
export interface Variant {
  readonly content: string;
  readonly attachments: readonly StoredAttachment[];
  readonly share: number;
}

/** The parts of a campaign that decide who gets which message, and when. */
export interface Delivery {
  readonly id: string;
  readonly exclude: CampaignExclusions;
  readonly variants: readonly Variant[];
  readonly team: Pick<
    TeamSettings,
    'mass_messages_a_day' | 'quiet_from_hour' | 'quiet_until_hour' | 'time_zone'
  >;
  /** The names of PostgreSQL's time zones, in lower case. */
  readonly zones: readonly string[];
}

/** A campaign's rules as SQL on a conversation `c`, its fan `f` and the joins of {@link CampaignSql.joins}. */
export interface CampaignSql {
  /** The joins that the other expressions need. */
  readonly joins: string;
  /** 0 or 1: which message the fan gets. The choice for a fan never changes. */
  readonly variant: () => string;
  /** The first reason why the fan doesn't get the message; null: they get it. */
  readonly reason: (variant: string) => string;
  /** When the fan's quiet hours end; null outside them. */
  readonly quietUntil: () => string;
  /** The first time, not before `from`, when the fan's clock shows what the team's clock shows at `instant`. */
  readonly nextLocalTime: (instant: string, from: string) => string;
  readonly content: (variant: string) => string;
  /** The message's attachments. Each offer gets a new id. */
  readonly attachments: (variant: string) => string;
  /** How many mass messages the fan has had today. */
  readonly today: () => string;
}

const ABBREVIATIONS = Object.entries(ZONES_OF_ABBREVIATIONS)
  .map(([name, zone]) => `when '${name}' then '${zone.toLowerCase()}'`)
  .join(' ');

/** How long a fan counts as being in a conversation after a message from either side. */
const CONVERSATION = "interval '30 minutes'";

/** Returns the ids of the products that a campaign offers. */
export const productsOf = (variants: readonly Pick<Variant, 'attachments'>[]): string[] => [
  ...new Set(
    variants.flatMap(({ attachments }) =>
      attachments.flatMap(({ product }) => (product === null ? [] : [product.id])),
    ),
  ),
];

/**
 * Compiles a campaign's rules. Previews and the send use the same SQL, so a preview counts exactly the fans that a send would
 * reach. @param add adds a value to the statement that uses the SQL
 */
export function compileCampaign(campaign: Delivery, add: AddValue): CampaignSql {
  const { exclude, variants, team } = campaign;
  const clock = zoneForDatabase(team.time_zone).toLowerCase();
  const teamZone = campaign.zones.includes(clock) ? clock : 'UTC';
  // Values are added where they are used: PostgreSQL can't infer the type of an unused parameter.
  const zone = () => `coalesce(z.name, ${add(teamZone)}::text)`;
  const products = productsOf(variants);
  const offered = () => `${add(products)}::uuid[]`;
  const today = () => {
    const local = zone();
    return `case when (c.mass_message_at at time zone ${local})::date = (now() at time zone ${local})::date
      then coalesce(c.mass_messages_on_day, 0) else 0 end`;
  };

  const conditions = (variant: string): (readonly [string, string | null])[] => [
    [
      'owns_product',
      products.length > 0
        ? `exists (select from owned_products o where o.fan_id = c.fan_id and o.product_id = any(${offered()}))`
        : null,
    ],
    [
      'offered_recently',
      products.length > 0 && exclude.offered_within_days !== undefined
        ? `exists (select from product_sends s where s.conversation_id = c.id and s.product_id = any(${offered()})
            and s.sent_at >= now() - make_interval(days => ${add(exclude.offered_within_days)}::int))`
        : null,
    ],
    [
      'messaged_recently',
      exclude.messaged_within_hours === undefined
        ? null
        : `greatest(${lastWritten('creator')}, c.mass_message_at)
            >= now() - make_interval(hours => ${add(exclude.messaged_within_hours)}::int)`,
    ],
    ['unread', exclude.unread ? 'c.unread_count > c.marked_unread::int' : null],
    [
      'in_conversation',
      exclude.in_conversation
        ? `greatest(${lastWritten('fan')}, ${lastWritten('creator')}) >= now() - ${CONVERSATION}`
        : null,
    ],
    ['missing_variable', byVariant(variant, (each) => missing(each, add))],
    ['daily_cap', `${today()} >= ${add(team.mass_messages_a_day)}::int`],
  ];

  const byVariant = (variant: string, of: (each: Variant) => string): string => {
    const [first, second] = variants.map(of);
    if (first === undefined) throw new Error('the campaign has no message');
    return second === undefined
      ? first
      : `(case ${variant} when 0 then ${first} else ${second} end)`;
  };

  return {
    joins: `left join unnest(${add(campaign.zones)}::text[]) as z (name)
      on z.name = case lower(f.timezone) ${ABBREVIATIONS} else lower(f.timezone) end`,
    variant: () =>
      variants.length === 1
        ? '0'
        : `(case when ('x' || left(md5(${add(campaign.id)}::text || c.fan_id::text), 8))::bit(32)::bigint % 100
            < ${add(variants[0]?.share)}::int then 0 else 1 end)`,
    reason(variant) {
      const cases = conditions(variant).flatMap(([name, condition]) =>
        condition === null || condition === 'false' ? [] : [`when ${condition} then '${name}'`],
      );
      return `case ${cases.join(' ')} end`;
    },
    quietUntil: () => quietUntil(team, zone),
    nextLocalTime(instant, from) {
      const wall = `(${instant} at time zone ${add(teamZone)}::text)`;
      const today = `((${from} at time zone ${zone()})::date + ${wall}::time)`;
      const candidates = [wall, today, `(${today} + interval '1 day')`];
      const [first, second, third] = candidates.map((each) => `(${each} at time zone ${zone()})`);
      return `case when ${first} >= ${from} then ${first} when ${second} >= ${from} then ${second} else ${third} end`;
    },
    content: (variant) => byVariant(variant, ({ content }) => textOf(content, add)),
    attachments: (variant) => byVariant(variant, (each) => attachmentsOf(each.attachments, add)),
    today,
  };
}

const fanValue = (variable: string) => `nullif(trim(f.${variable}), '')`;

/**
 * SQL: whether the fan lacks a value that the message needs: the value of a variable without a fallback, or the values of all
 * variables if the message would otherwise be empty.
 */
function missing({ content, attachments }: Variant, add: AddValue): string {
  const parts = campaignTextParts(content);
  const lacks = parts.flatMap((part) =>
    'variable' in part && part.fallback === null ? [`${fanValue(part.variable)} is null`] : [],
  );
  const mayBeEmpty =
    attachments.length === 0 &&
    parts.some((part) => 'variable' in part) &&
    parts.every((part) => ('text' in part ? part.text : (part.fallback ?? '')).trim() === '');
  if (mayBeEmpty) lacks.push(`trim(${textOf(content, add)}) = ''`);
  return lacks.length === 0 ? 'false' : `(${[...new Set(lacks)].join(' or ')})`;
}

function textOf(content: string, add: AddValue): string {
  const parts = campaignTextParts(content).map((part) =>
    'text' in part
      ? `${add(part.text)}::text`
      : `coalesce(${fanValue(part.variable)}, ${add(part.fallback ?? '')}::text)`,
  );
  return parts.length === 0 ? `''` : `(${parts.join(' || ')})`;
}

/** SQL: a message's attachments. A file has the same id in every message; an offer gets a new id, which purchases refer to. */
function attachmentsOf(attachments: readonly StoredAttachment[], add: AddValue): string {
  return attachments.reduce(
    (list, { product }, index) =>
      product === null ? list : `jsonb_set(${list}, '{${index},id}', to_jsonb(new_id()))`,
    `${add(JSON.stringify(attachments))}::jsonb`,
  );
}

function quietUntil(
  { quiet_from_hour: from, quiet_until_hour: until }: Delivery['team'],
  zone: () => string,
): string {
  if (from === null || until === null || from === until) return 'null::timestamptz';
  const local = zone();
  const now = `(now() at time zone ${local})`;
  const hour = `extract(hour from ${now})`;
  const both = from < until ? 'and' : 'or';
  return `case when ${hour} >= ${from} ${both} ${hour} < ${until} then (date_trunc('day', ${now})
    + make_interval(days => (${hour} >= ${until})::int, hours => ${until})) at time zone ${local} end`;
}
