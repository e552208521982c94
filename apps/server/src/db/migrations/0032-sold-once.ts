import { type Kysely, sql } from 'kysely';

/** A fan can own a product only once, whichever offer they bought. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table owned_products (
    fan_id uuid not null,
    product_id uuid not null,
    -- The payment through which the fan owns it.
    purchase_id uuid not null references purchases (id) on delete cascade,
    purchased_at timestamptz not null,
    primary key (fan_id, product_id)
  )`,
  // Older payments for a product that the fan already owned; each is listed until it is refunded.
  `create table double_payments (
    purchase_id uuid primary key references purchases (id) on delete cascade
  )`,
  // A trigger, so that a server of the previous version can't sell a product twice either. After a refund, the fan owns the
  // product through another valid payment, if there is one.
  `create function keep_owned_products() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then
      if new.refunded_at is null then
        insert into owned_products values (new.fan_id, new.product_id, new.id, new.purchased_at);
      end if;
    elsif old.refunded_at is null and new.refunded_at is not null then
      delete from double_payments where purchase_id = new.id;
      delete from owned_products where fan_id = new.fan_id and product_id = new.product_id and purchase_id = new.id;
      if found then
        with other as (
          delete from double_payments where purchase_id = (
            select d.purchase_id from double_payments d join purchases p on p.id = d.purchase_id
            where p.fan_id = new.fan_id and p.product_id = new.product_id order by p.purchased_at, p.id limit 1
          ) returning purchase_id
        )
        insert into owned_products
          select p.fan_id, p.product_id, p.id, p.purchased_at from other join purchases p on p.id = other.purchase_id;
      end if;
    end if;
    return null;
  end $$`,
  // Creating the trigger locks the table, so that no purchase is added until the existing ones are processed.
  `create trigger purchases_owned after insert or update of refunded_at on purchases
    for each row execute function keep_owned_products()`,
  `insert into owned_products
    select distinct on (fan_id, product_id) fan_id, product_id, id, purchased_at
    from purchases where refunded_at is null order by fan_id, product_id, purchased_at, id`,
  `insert into double_payments
    select p.id from purchases p where p.refunded_at is null
      and not exists (select from owned_products o where o.purchase_id = p.id
        and o.fan_id = p.fan_id and o.product_id = p.product_id)`,
];
