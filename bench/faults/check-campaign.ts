import { analyticsOverview } from '@stagedoor/contract/selling/analytics';
import {
  type Campaign,
  type CampaignCounts,
  getCampaign,
} from '@stagedoor/contract/selling/campaigns';
import type pg from 'pg';
import { until } from '../../apps/server/test/until.ts';
import type { Call } from '../lib/calls.ts';

/** `$1` is the id of the campaign, `$2` the ids of the fans in its audience. */
const GIVEN =
  'with campaign as (select $1::uuid as id), audience as (select unnest($2::uuid[]) as fan_id)';

/** Maps each problem to a query that returns the affected fans or conversations. */
const WRONG: Readonly<Record<string, string>> = {
  'fans without exactly one decided recipient': `
    select fan_id from (
      select fan_id, 1 as expected, 0 as rows, 0 as waiting from audience
      union all
      select r.fan_id, 0, 1, (r.state = 'pending')::int from campaign_recipients r join campaign on campaign.id = r.campaign_id
    ) each group by fan_id having sum(expected) <> 1 or sum(rows) <> 1 or sum(waiting) > 0`,
  'fans whose messages contradict their recipient': `
    select c.fan_id from campaign join conversations c on c.fan_id in (select fan_id from audience)
      left join messages m on m.conversation_id = c.id and m.campaign_id = campaign.id
      left join campaign_recipients r on r.campaign_id = campaign.id and r.fan_id = c.fan_id
    group by c.fan_id, r.state, r.message_id
    having count(m.id) <> (r.state = 'sent')::int or bool_or(m.id <> r.message_id)`,
  'conversations with gaps': `
    select c.id from conversations c left join messages m on m.conversation_id = c.id
    where c.fan_id in (select fan_id from audience)
    group by c.id having c.last_seq <> count(m.id) or c.last_seq <> coalesce(max(m.seq), 0)`,
  'fans who were offered what they own': 'select fan_id from wrong_offers',
};

/** Counts each variant's results from the rows, to compare them with the server's figures. */
const RECOUNT = `
  select count(*)::int as audience,
    count(*) filter (where r.state = 'sent')::int as sent,
    count(*) filter (where r.state = 'skipped')::int as skipped,
    count(*) filter (where r.state = 'unsent')::int as unsent,
    count(*) filter (where m.read_at is not null)::int as read,
    count(*) filter (where exists (
      select from messages a where a.conversation_id = m.conversation_id and a.from_fan
        and a.created_at > m.created_at and a.created_at <= m.created_at + interval '24 hours'))::int as replied,
    coalesce(sum(p.purchases), 0)::int as purchases, coalesce(sum(p.cents), 0)::int as cents
  from campaign_recipients r
    left join messages m on m.campaign_id = r.campaign_id and m.conversation_id = r.conversation_id
    left join (
      select message_id, count(*) as purchases, sum(amount_cents) as cents
      from purchases where refunded_at is null group by message_id
    ) p on p.message_id = m.id
  where r.campaign_id = $1 group by r.variant order by r.variant`;

type Counted = Omit<CampaignCounts, 'revenue' | 'unlock_rate'> & { readonly cents: number };

/** Compares a finished campaign with the stored rows, the analytics and what the crowd paid. @returns a line for each difference */
export async function checkCampaign(
  client: pg.Client,
  owner: Call,
  { id, audience, cents }: { id: string; audience: readonly string[]; cents: number },
): Promise<string[]> {
  const broken: string[] = [];
  for (const [what, text] of Object.entries(WRONG)) {
    const { rows } = await client.query<Record<string, string>>(`${GIVEN} ${text}`, [id, audience]);
    const examples = rows.slice(0, 3).flatMap(Object.values).join(', ');
    if (rows.length > 0) broken.push(`${rows.length} ${what}: ${examples}`);
  }
  const read = async () => (await owner(getCampaign, { params: { id } })).data;
  const expect = (what: string, is: unknown, expected: unknown) => {
    const [left, right] = [JSON.stringify(is), JSON.stringify(expected)];
    if (left !== right) broken.push(`${what}: ${left} instead of ${right}`);
  };
  // Fans keep reading and replying, so a recount is valid only if the server's figures are the same before and after it.
  const { rows, campaign } = await until('the results no longer change', async () => {
    const before = await read();
    const recount = await client.query<Counted>(RECOUNT, [id]);
    const now = await read();
    const isSame = JSON.stringify(variantsOf(before)) === JSON.stringify(variantsOf(now));
    return isSame && { rows: recount.rows, campaign: now };
  });
  expect('results of the variants', variantsOf(campaign), rows);
  const { counts } = campaign;
  expect('revenue', Math.round(counts.revenue * 100), cents);
  const { sources } = await owner(analyticsOverview, {});
  const { source: _source, ...analytics } =
    sources.find(({ source }) => source === 'mass_messages') ?? {};
  expect('analytics', analytics, {
    messages_sent: counts.sent,
    products_sent: counts.sent,
    payments: counts.purchases,
    revenue: counts.revenue,
  });
  return broken;
}

const variantsOf = ({ variants }: Campaign): Counted[] =>
  variants.map(({ counts: { revenue, unlock_rate: _rate, ...counts } }) => ({
    ...counts,
    cents: Math.round(revenue * 100),
  }));
