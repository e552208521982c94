-- Stores a message with all its effects, or changes nothing. `send.store.ts` creates and calls it.
-- Locks in the order of docs/ARCHITECTURE.md: the conversation, uploads, the claiming admin, products.
create or replace function send_message(
  new_id uuid,
  to_conversation uuid,
  sender text, -- 'fan'; 'admin', who has the conversation open; or 'job', which marks nothing as read
  author uuid, -- the fan, or the admin who writes as the creator
  client_id text, -- the author's id for the message; raises unique_violation if another message has it
  hash bytea, -- distinguishes a retry from a different message with the same id
  content text,
  reply_to uuid,
  attachments jsonb, -- an array of StoredAttachment; raises unique_violation if another message has an upload
  preview text, -- the text shown in the inbox
  seen_id uuid, -- the newest message that the admin had seen; null: not checked
  after_seq integer, -- no message after this `seq` may exist, except mass and unsent messages; null: not checked
  waits boolean, -- whether to wait for locks; if not, returns 'busy' or raises lock_not_available
  out outcome text, -- 'stored', 'busy', 'teammate_replied' or 'misoffered'; null: no such conversation, or it has a later message
  out conversation conversations, -- after the message
  out outbox_ids bigint[], -- the ids of the events for the read and for the message
  out claim_outbox_id bigint, -- the id of the event for a claim by this message; the event has the next version
  out last_read_id uuid, -- the fan's newest message that the reply marked as read; null: none
  out last_read_seq integer,
  out last_read_at timestamptz
) language plpgsql as $$
declare
  has_webhook boolean :=
    sender <> 'fan' and exists (select from webhook_endpoint where url is not null);
  upload_ids uuid[];
  uploads_taken integer;
  known_seq integer;
  seen_seq integer;
  newly_read integer;
  outbox_id bigint;
begin
  -- Read before waiting for the lock, so that messages from the fan during the wait stay unread.
  if sender = 'admin' then
    select last_seq into known_seq from conversations where id = to_conversation;
  end if;
  -- The lock puts the messages in order. Later statements see everything that was committed before the lock was acquired.
  if waits then
    select * into conversation from conversations where id = to_conversation for no key update;
  else
    select * into conversation from conversations where id = to_conversation
    for no key update skip locked;
    if not found then
      outcome := 'busy';
      return;
    end if;
  end if;
  -- Mass messages are ignored, because they don't answer the fan.
  if not found or conversation.last_seq <> after_seq and exists (
    select from messages where conversation_id = to_conversation and seq > after_seq and campaign_id is null
      and unsent_at is null
  ) then
    return;
  end if;

  -- Did a teammate write after the newest message that the admin had seen?
  if sender = 'admin' and seen_id is not null then
    select seq into seen_seq from messages where id = seen_id and conversation_id = to_conversation;
    if exists (
      select from messages where conversation_id = to_conversation and seq > coalesce(seen_seq, 0)
        and not from_fan and author_id <> author and campaign_id is null and unsent_at is null
    ) then
      outcome := 'teammate_replied';
      return;
    end if;
  end if;

  if attachments <> '[]' then
    -- A product that the fan owns must be free, any other must have a price. Purchases take the same lock.
    if sender <> 'fan' and exists (
      select from jsonb_array_elements(attachments) a
      where a->'product' <> 'null' and (a->'product'->'price_cents' = 'null') <> exists (
        select from owned_products
        where fan_id = conversation.fan_id and product_id = (a->'product'->>'id')::uuid
      )
    ) then
      outcome := 'misoffered';
      return;
    end if;
    upload_ids := array(
      select (a->>'id')::uuid from jsonb_array_elements(attachments) a where a->'product' = 'null'
    );
    update uploads set message_id = new_id
    where id = any(upload_ids) and conversation_id = to_conversation and owner_id = author
      and message_id is null;
    get diagnostics uploads_taken = row_count;
    if uploads_taken < cardinality(upload_ids) then
      raise unique_violation using message = 'an upload is taken', constraint = 'uploads_taken';
    end if;
  end if;

  -- A message from either side clears staff's unread mark. The mark adds one to `unread_count`.
  conversation.unread_count := conversation.unread_count - conversation.marked_unread::int;
  conversation.marked_unread := false;

  -- An admin's reply marks the fan's messages as read. The unread count drops by the number of these messages.
  if sender = 'admin' and conversation.unread_count > 0 then
    with marked as (
      update messages set read_at = date_trunc('milliseconds', statement_timestamp())
      where conversation_id = to_conversation and from_fan and read_at is null and seq <= known_seq
      returning id, seq, read_at
    )
    select id, seq, read_at, count(*) over ()
    into last_read_id, last_read_seq, last_read_at, newly_read
    from marked order by seq desc limit 1;
  end if;
  if last_read_id is not null then
    conversation.unread_count := conversation.unread_count - newly_read;
    conversation.version := conversation.version + 1;
    insert into outbox (event, payload) values ('message_read', jsonb_build_object(
      'conversation_id', to_conversation,
      'read_at', to_char(last_read_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'up_to_message_id', last_read_id,
      'up_to_seq', last_read_seq,
      'unread_count', conversation.unread_count,
      'version', conversation.version
    )) returning id into outbox_id;
    outbox_ids := outbox_ids || outbox_id;
    if has_webhook then
      insert into webhook_events (type, conversation_id, lane, ref)
      values ('message.read', to_conversation, to_conversation::text,
        jsonb_build_object('message_id', last_read_id));
    end if;
  end if;

  conversation.version := conversation.version + 1;
  conversation.last_seq := conversation.last_seq + 1;
  -- Strictly later than every earlier message, so that two messages within a millisecond don't tie.
  conversation.last_message_at := greatest(
    date_trunc('milliseconds', clock_timestamp()), conversation.last_message_at + interval '1 ms',
    conversation.mass_message_at + interval '1 ms'
  );
  conversation.first_message_at :=
    coalesce(conversation.first_message_at, conversation.last_message_at);
  conversation.last_message_content := preview;
  insert into messages (id, conversation_id, seq, from_fan, author_id, client_message_id,
    payload_hash, content, reply_to_message_id, attachments, created_at)
  values (new_id, to_conversation, conversation.last_seq, sender = 'fan', author, client_id,
    hash, content, reply_to, attachments, conversation.last_message_at);
  insert into outbox (event, payload) values ('new_message', jsonb_build_object(
    'conversation_id', to_conversation,
    'message_id', new_id,
    'tempId', case when sender <> 'fan' then client_id end,
    'client_id', case when sender = 'fan' then client_id end
  )) returning id into outbox_id;
  outbox_ids := outbox_ids || outbox_id;
  if has_webhook then
    insert into webhook_events (type, conversation_id, lane, ref)
    values ('message.created', to_conversation, to_conversation::text,
      jsonb_build_object('message_id', new_id));
  end if;

  if sender = 'fan' then
    conversation.unread_count := conversation.unread_count + 1;
    conversation.waiting_since := least(conversation.waiting_since, conversation.last_message_at);
    conversation.snoozed_until := null;
    if conversation.status = 'archived' and (select reopen_on_fan_message from team_settings) then
      conversation.status := 'active';
    end if;
  else
    -- The fan keeps waiting if they wrote something that the reply doesn't mark as read.
    conversation.answered_since := null;
    if conversation.unread_count = 0 then
      conversation.answered_since := nullif(conversation.waiting_since, 'infinity');
      conversation.waiting_since := 'infinity';
    end if;
    -- For the analytics.
    insert into sent_messages (admin_id, sent_at, waited_since, message_id, conversation_id)
    values (author, conversation.last_message_at, conversation.answered_since, new_id, to_conversation);
    -- The staff member who wrote last. Servers of the previous version also use these columns to detect a teammate's reply.
    if conversation.last_staff_id is distinct from author then
      conversation.other_staff_seq := conversation.last_staff_seq;
    end if;
    conversation.last_staff_id := author;
    conversation.last_staff_seq := conversation.last_seq;
  end if;

  if sender = 'admin' and conversation.claimed_by = author then
    conversation.claim_active_at := clock_timestamp();
  end if;

  update conversations set
    version = conversation.version,
    last_seq = conversation.last_seq,
    last_message_at = conversation.last_message_at,
    first_message_at = conversation.first_message_at,
    last_message_content = conversation.last_message_content,
    unread_count = conversation.unread_count,
    marked_unread = conversation.marked_unread,
    waiting_since = conversation.waiting_since,
    answered_since = conversation.answered_since,
    snoozed_until = conversation.snoozed_until,
    status = conversation.status,
    claim_active_at = conversation.claim_active_at,
    last_staff_id = conversation.last_staff_id,
    last_staff_seq = conversation.last_staff_seq,
    other_staff_seq = conversation.other_staff_seq
  where id = to_conversation;

  if sender = 'admin' and conversation.claimed_by is null
    and (select claim_on_first_reply from team_settings) then
    -- The lock makes the claim wait for a concurrent removal of the admin.
    if waits then
      perform from admins where id = author and is_active for share;
    else
      perform from admins where id = author and is_active for share nowait;
    end if;
    if found then
      update conversations set claimed_by = author, version = version + 1
      where id = to_conversation returning * into conversation;
      insert into outbox (event, payload)
      values ('conversation_updated', jsonb_build_object('conversation_id', to_conversation))
      returning id into claim_outbox_id;
    end if;
  end if;

  if attachments @? '$[*].product.price_cents ? (@ > 0)' then
    -- Locks the products in order before the update, to avoid deadlocks.
    perform from products
    where id in (select (a->'product'->>'id')::uuid from jsonb_array_elements(attachments) a)
    order by id for no key update;
    with offered as (
      insert into product_sends (attachment_id, message_id, conversation_id, fan_id, product_id,
        admin_id, price_cents, sent_at)
      select (a->>'id')::uuid, new_id, to_conversation, conversation.fan_id,
        (a->'product'->>'id')::uuid, author, (a->'product'->>'price_cents')::int,
        conversation.last_message_at
      from jsonb_array_elements(attachments) a where a->'product'->>'price_cents' is not null
      returning product_id
    )
    update products set times_sent = times_sent + offers
    from (select product_id, count(*)::int as offers from offered group by product_id) counted
    where id = product_id;
  end if;

  outcome := 'stored';
end $$;
