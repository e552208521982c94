import { sql } from 'kysely';
import type { TestApp } from '../test-app.ts';

/** Rules that must hold after any requests; each query finds the rows that break its rule. */
const RULES: Readonly<Record<string, ReturnType<typeof sql>>> = {
  'what is unread equals a recount': sql`
    select c.id, c.unread_count from conversations c where c.unread_count <> c.marked_unread::int + (
      select count(*) from messages m
      where m.conversation_id = c.id and m.from_fan and m.read_at is null)`,
  'a conversation’s messages count 1, 2, 3 up to its last': sql`
    select c.id, c.last_seq from conversations c left join messages m on m.conversation_id = c.id
    group by c.id having c.last_seq <> count(m.id) or c.last_seq <> coalesce(max(m.seq), 0)`,
  'someone manages staff': sql`
    select 'nobody' where not exists (
      select from admins where is_active and role in ('manager', 'creator'))`,
  'the inbox’s counters equal a recount': sql`
    select * from (select sum(conversations)::int as conversations, sum(unread)::int as unread,
      sum(archived)::int as archived, sum(needs_reply)::int as needs_reply from inbox_counters) kept
    join (select count(*)::int as conversations,
      (count(*) filter (where unread_count > 0 and snoozed_until is null))::int as unread,
      (count(*) filter (where status = 'archived'))::int as archived,
      (count(*) filter (where waiting_since < 'infinity' and status = 'active' and snoozed_until is null))::int as needs_reply
      from conversations) counted
    on (kept.conversations, kept.unread, kept.archived, kept.needs_reply)
      is distinct from (counted.conversations, counted.unread, counted.archived, counted.needs_reply)`,
  'how often a product was sent and bought equals a recount': sql`
    select p.id, p.times_sent, p.times_purchased from products p
    where p.times_sent <> (select count(*) from product_sends s where s.product_id = p.id)
      or p.times_purchased <> (
        select count(*) from purchases b where b.product_id = p.id and b.refunded_at is null)`,
  'one who was removed has no session, no claim and no pin': sql`
    select a.id from admins a where not a.is_active and (
      exists (select from sessions s where s.admin_id = a.id)
      or exists (select from conversations c where c.claimed_by = a.id)
      or exists (select from pins p where p.admin_id = a.id))`,
  'how many passkeys an admin has equals a recount': sql`
    select a.id, a.passkeys from admins a
    where a.passkeys <> (select count(*) from passkeys p where p.admin_id = a.id)`,
  'no transaction was left open': sql`
    select pid, query from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'
      and state_change < now() - interval '5 seconds'`,
};

/** Returns the broken rules, with the rows that break them. */
export async function brokenRules(app: TestApp): Promise<string[]> {
  const broken: string[] = [];
  for (const [rule, query] of Object.entries(RULES)) {
    const { rows } = await query.execute(app.db.kysely);
    if (rows.length > 0) broken.push(`${rule}: ${JSON.stringify(rows.slice(0, 3))}`);
  }
  const health = await app.anonymous.raw('GET', '/api/health');
  if (health.status !== 200) broken.push(`the server is healthy: ${health.text}`);
  return broken;
}
