import { type Kysely, sql } from 'kysely';

/** Segments of fans, and the data that makes them fast: each fan's spending, and when each side last wrote. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table segments (
    id uuid primary key default gen_random_uuid(),
    name text not null,
    rule jsonb not null,
    created_by uuid not null references admins (id),
    updated_at timestamptz not null default now()
  )`,

  // When each side last wrote; 'epoch' means never. Null in older conversations until a job fills the columns.
  'alter table conversations add column fan_wrote_at timestamptz, add column creator_wrote_at timestamptz',
  `alter table conversations alter column fan_wrote_at set default 'epoch', alter column creator_wrote_at set default 'epoch'`,
  // A function, because the planner would expect an inline query to read every conversation's messages, and choose bad joins.
  `create function last_message_of(conversation uuid, side_is_fan boolean) returns timestamptz
    language sql stable parallel safe cost 1 as $$
      select max(created_at) from messages where conversation_id = conversation and from_fan = side_is_fan
    $$`,
  // A trigger, because servers of the previous version also send messages.
  `create function note_who_wrote() returns trigger language plpgsql as $$
  begin
    if new.last_staff_seq = new.last_seq then
      new.creator_wrote_at := new.last_message_at;
    else
      new.fan_wrote_at := new.last_message_at;
    end if;
    return new;
  end $$`,
  `create trigger conversations_written before update of last_seq on conversations for each row
    when (new.last_seq > old.last_seq and new.last_message_at > old.last_message_at) execute function note_who_wrote()`,

  // A row for each fan who has a payment that was not refunded.
  `create table fan_spending (
    fan_id uuid primary key references fans (id) on delete cascade,
    cents bigint not null,
    purchases integer not null,
    last_purchase_at timestamptz not null
  )`,
  // Recounts the fan's payments at each change. A fan has few payments, and the conversation is locked.
  `create function sum_up_spending() returns trigger language plpgsql as $$
  declare
    fan uuid := case when tg_op = 'DELETE' then old.fan_id else new.fan_id end;
    conversation uuid := case when tg_op = 'DELETE' then old.conversation_id else new.conversation_id end;
  begin
    insert into fan_spending
      select f.id, sum(p.amount_cents), count(*), max(p.purchased_at)
      from fans f join purchases p on p.conversation_id = conversation and p.refunded_at is null
      where f.id = fan group by f.id
    on conflict (fan_id) do update set cents = excluded.cents, purchases = excluded.purchases,
      last_purchase_at = excluded.last_purchase_at;
    if not found then
      delete from fan_spending where fan_id = fan;
    end if;
    return null;
  end $$`,
  // Creating the trigger locks the table, so that no purchase is added until the existing ones are summed up.
  `create trigger purchases_summed after insert or delete or update of refunded_at, amount_cents, purchased_at
    on purchases for each row execute function sum_up_spending()`,
  `insert into fan_spending
    select p.fan_id, sum(p.amount_cents), count(*), max(p.purchased_at)
    from purchases p join fans f on f.id = p.fan_id where p.refunded_at is null group by p.fan_id`,

  'create index owned_products_product on owned_products (product_id, fan_id)',
];
