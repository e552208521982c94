import { type Kysely, sql } from 'kysely';

/** Files in messages, paid products, and what fans bought. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // A copy of everything that a message shows of its attachments, so that the message stays as sent when a product changes.
  // See StoredAttachment in media.
  `alter table messages add column attachments jsonb not null default '[]'`,

  // Uploaded files, before and after they are sent in a message. `owner_id` is the id of an admin or of the fan.
  `create table uploads (
    id uuid primary key,
    conversation_id uuid not null references conversations (id) on delete cascade,
    owner_id uuid not null,
    type text not null check (type in ('image', 'video', 'audio', 'file')),
    storage_key text not null,
    thumbnail_key text,
    filename text not null,
    size bigint not null,
    mime_type text not null,
    width integer,
    height integer,
    message_id uuid,
    created_at timestamptz not null default now()
  )`,
  'create index uploads_waiting on uploads (created_at) where message_id is null',
  'create index uploads_conversation_id on uploads (conversation_id)',

  // Objects to delete once the transaction that dropped their references is committed; a sweep deletes them, with retries.
  `create table storage_garbage (
    storage_key text primary key,
    created_at timestamptz not null default now()
  )`,

  `create table folders (
    id uuid primary key default gen_random_uuid(),
    name text not null,
    description text,
    created_at timestamptz not null default now()
  )`,

  // A deleted product disappears only from the catalogue: messages and sales still reference it.
  `create table products (
    id uuid primary key default gen_random_uuid(),
    title text not null,
    description text,
    price_cents integer not null check (price_cents > 0),
    folder_id uuid references folders (id) on delete set null,
    product_type text not null default 'message_attachment' check (product_type in ('message_attachment', 'standalone')),
    is_active boolean not null default true,
    full_key text not null,
    preview_key text not null,
    mime_type text not null,
    size bigint not null,
    width integer not null,
    height integer not null,
    created_at timestamptz not null default now(),
    deleted_at timestamptz
  )`,
  'create index products_catalogue on products (created_at desc, id desc) where deleted_at is null',
  'create index products_folder_id on products (folder_id, created_at desc, id desc) where deleted_at is null',

  // A row for each time a product was sent, with the price, the sender and the fan.
  `create table product_sends (
    attachment_id uuid primary key,
    message_id uuid not null references messages (id) on delete cascade,
    conversation_id uuid not null references conversations (id) on delete cascade,
    fan_id uuid not null,
    product_id uuid not null references products (id),
    admin_id uuid not null references admins (id),
    price_cents integer not null check (price_cents > 0),
    sent_at timestamptz not null
  )`,
  'create index product_sends_conversation on product_sends (conversation_id, product_id, sent_at desc)',
  'create index product_sends_product on product_sends (product_id, sent_at desc)',
  'create index product_sends_message on product_sends (message_id)',

  `create table purchases (
    id uuid primary key default gen_random_uuid(),
    attachment_id uuid not null,
    message_id uuid not null,
    conversation_id uuid not null,
    fan_id uuid not null,
    product_id uuid not null references products (id),
    admin_id uuid not null references admins (id),
    amount_cents integer not null check (amount_cents > 0),
    payment_reference text not null,
    payload_hash bytea not null,
    purchased_at timestamptz not null,
    refunded_at timestamptz,
    created_at timestamptz not null default now(),
    constraint purchases_payment_reference_key unique (payment_reference)
  )`,
  // A fan can own an attachment only once; after a refund it can be bought again.
  'create unique index purchases_held on purchases (attachment_id) where refunded_at is null',
  'create index purchases_message_id on purchases (message_id)',
  'create index purchases_conversation on purchases (conversation_id, product_id)',
];
