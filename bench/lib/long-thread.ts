import { buildPicture } from '../../apps/server/test/worlds/catalogue.ts';
import { query } from './query.ts';
import type { Session } from './session.ts';

/** Widths and heights of the pictures in pixels: the usual shapes from phones and cameras, and extreme ones. */
const SHAPES =
  '1200x1600 1600x1200 1080x1080 1080x1920 1920x1080 1280x720 640x480 480x640 300x900 2000x500 320x240 90x60'.split(
    ' ',
  );
const COLORS = ['#4251d4', '#aa3355', '#2f8f5b', '#d98e04'];

export interface LongThread {
  readonly conversationId: string;
  /** A second conversation, for navigating away and back. */
  readonly otherId: string;
}

/** Adds this many messages to the newest conversation; every fifth has pictures. */
export async function fillThread(
  databaseUrl: string,
  session: Session,
  messages: number,
): Promise<LongThread> {
  const [target, other] = await query<{ id: string }>(
    databaseUrl,
    `select id from conversations where status = 'active' order by last_message_at desc limit 2`,
  );
  if (!target || !other) throw new Error('there are too few conversations');
  await uploadPictures(session, target.id);
  await query(databaseUrl, INSERT, [target.id, messages]);
  await query(databaseUrl, COUNT, [target.id]);
  await query(databaseUrl, 'analyze messages');
  return { conversationId: target.id, otherId: other.id };
}

/** Uploads each picture once, as staff would; many messages then share it. */
async function uploadPictures(session: Session, conversationId: string): Promise<void> {
  const form = new FormData();
  form.append('conversation_id', conversationId);
  for (const [index, shape] of SHAPES.entries()) {
    const [width = 0, height = 0] = shape.split('x').map(Number);
    const color = COLORS[index % COLORS.length] ?? '';
    const data = await buildPicture({ width, height, color, format: 'jpeg' });
    const blob = new Blob([new Uint8Array(data)], { type: 'image/jpeg' });
    form.append('files', blob, `picture-${shape}.jpg`);
  }
  const response = await fetch(`${session.address}/api/messages/admin/upload-multiple`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session.token}` },
    body: form,
  });
  if (!response.ok) throw new Error(`the upload was refused: ${await response.text()}`);
}

/**
 * Runs of messages by one author, with texts from one word to many lines. Every fifth message has a picture, every fiftieth an
 * album.
 */
const INSERT = `
  with pictures as (
    select row_number() over (order by filename) as n, jsonb_build_object('type', type, 'key', storage_key,
      'thumbnail_key', thumbnail_key, 'filename', filename, 'size', size, 'mime_type', mime_type, 'width', width,
      'height', height, 'product', null) as picture
    from uploads where conversation_id = $1
  ), drafts as (
    select n, c.last_seq + n as seq, c.fan_id, (n / 3) % 2 = 0 as from_fan,
      c.last_message_at + (now() - c.last_message_at) * (n::float8 / $2) as at
    from conversations c, generate_series(1, $2::int) as n where c.id = $1
  )
  insert into messages (id, conversation_id, seq, from_fan, author_id, client_message_id, payload_hash, content, attachments,
    created_at, read_at)
  select gen_random_uuid(), $1, seq, from_fan,
    case when from_fan then fan_id else (select id from admins order by email limit 1) end, 'long-' || n, '\\x00',
    case when n % 10 = 0 then '[Attachment]'
      else 'Message ' || n || repeat(' and so it goes on, word by word', (n * 7 % 13) * (n % 4) / 3) end,
    case when n % 5 <> 0 then '[]'::jsonb else (
      select jsonb_agg(picture || jsonb_build_object('id', gen_random_uuid()))
      from pictures where case when n % 50 = 0 then pictures.n <= 3 + drafts.n / 50 % 4 else pictures.n = 1 + drafts.n / 5 % ${SHAPES.length} end
    ) end,
    date_trunc('milliseconds', at), date_trunc('milliseconds', at)
  from drafts order by n`;

const COUNT = `
  update conversations set last_seq = newest.seq, version = version + newest.seq, unread_count = 0,
    last_message_at = newest.created_at, last_message_content = left(newest.content, 300), waiting_since = 'infinity'
  from (select seq, created_at, content from messages where conversation_id = $1 order by seq desc limit 1) as newest
  where id = $1`;
