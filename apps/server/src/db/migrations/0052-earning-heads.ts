import { type Kysely, sql } from 'kysely';

/** The length and the last hash of the ledger of earnings, and hashes of its rules and closed periods. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const START = '0'.repeat(64);

/** Chains the rows of an append-only table by hashing all columns. Uses UTC, so that a row's text is the same in every session. */
const chained = (table: string, chain: string, order: string) => [
  `alter table ${table} add column hash text not null default ''`,
  `alter table ${table} disable trigger user`,
  `do $$
  declare record ${table};
    head earning_heads;
  begin
    set local timezone = 'UTC';
    for record in select * from ${table} order by ${order} loop
      select * into head from earning_heads where chain = '${chain}';
      head.hash := earning_record_hash(head.hash, to_jsonb(record));
      update ${table} set hash = head.hash where ${order} = record.${order};
      update earning_heads set length = length + 1, hash = head.hash where chain = '${chain}';
    end loop;
    set local timezone to default;
  end $$`,
  `alter table ${table} enable trigger user`,
  `create trigger ${table}_chained before insert on ${table}
    for each row execute function chain_earning_record('${chain}')`,
];

const statements = [
  `alter table earning_lines add constraint earning_lines_source check (source in ('sale', 'refund', 'hours', 'contest'))`,

  // Shows whether a chain's last rows are missing, which its hashes can't show. The transaction that adds a row updates the head.
  `create table earning_heads (
    chain text primary key check (chain in ('lines', 'rules', 'periods')),
    length bigint not null,
    hash text not null
  )`,
  `insert into earning_heads values ('rules', 0, '${START}'), ('periods', 0, '${START}')`,
  `insert into earning_heads select 'lines', coalesce(max(seq), 0),
    coalesce((select hash from earning_lines order by seq desc limit 1), '${START}') from earning_lines`,
  `create function guard_earning_head() returns trigger language plpgsql as $$
  begin
    if tg_op = 'UPDATE' and new.chain = old.chain and new.length > old.length then
      return new;
    end if;
    raise exception 'earning_heads only grow';
  end $$`,

  `create function earning_record_hash(previous text, record jsonb) returns text language sql immutable as $$
    select encode(sha256(convert_to(previous || (jsonb_strip_nulls(record) - 'hash')::text, 'UTF8')), 'hex')
  $$`,
  `create function chain_earning_record() returns trigger language plpgsql set timezone = 'UTC' as $$
  declare head earning_heads;
  begin
    select * into head from earning_heads where chain = tg_argv[0] for update;
    new.hash := earning_record_hash(head.hash, to_jsonb(new));
    update earning_heads set length = head.length + 1, hash = new.hash where chain = head.chain;
    return new;
  end $$`,
  ...chained('earning_rules', 'rules', 'version'),
  ...chained('earning_periods', 'periods', 'id'),

  `create trigger earning_heads_grow before update or delete on earning_heads
    for each row execute function guard_earning_head()`,
  `create trigger earning_heads_kept before truncate on earning_heads
    for each statement execute function guard_earning_head()`,
];
