import { PRODUCT_THUMBNAIL_PIXELS } from '@stagedoor/contract/selling/products';
import { sampleAvatar } from '@stagedoor/sample-data/avatars';
import { type LivelyOptions, startLively } from '@stagedoor/sample-data/lively';
import { SAMPLE_TEAMMATES, type SampleData, sampleData } from '@stagedoor/sample-data/sample-data';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Database } from './db/database.ts';
import type { Tx } from './db/tables.ts';
import { notFound } from './http/error-reply.ts';
import { makePreview, makeThumbnail } from './media/images.ts';
import { type FileStores, type NewObjects, withNewObjects } from './media/new-objects.ts';
import { bookBatch } from './selling/earnings/booking.store.ts';
import { answerContest, insertContest, moveParts } from './selling/earnings/contests.store.ts';
import { lockLedger } from './selling/earnings/ledger.store.ts';
import { insertPeriod, openPeriods } from './selling/earnings/periods.store.ts';
import { addAdmin, noteActivity } from './team/admins/server-admins.ts';

const YEAR_SECONDS = 31_536_000;

/** The tables with rows that staff create or the sample data adds. Their rows could conflict with the sample's. */
const CONTENT = [
  'fans',
  'global_tags',
  'folders',
  'products',
  'segments',
  'templates',
  'campaigns',
  'shifts',
].map((name) => sql`select 1 from ${sql.table(name)}`);

/**
 * Adds realistic fans, teammates and products to a new installation. Does nothing if any content exists, such as the products
 * that remain after all sample fans were erased.
 */
export async function createSampleData(stores: FileStores): Promise<void> {
  const { kysely } = stores.db;
  const content = await sql`${sql.join(CONTENT, sql` union all `)} limit 1`.execute(kysely);
  if (content.rows.length > 0) return;
  for (const [email, role] of SAMPLE_TEAMMATES) await addAdmin(stores.db, email, role);
  const creator = await kysely.selectFrom('creators').select('id').executeTakeFirstOrThrow();
  const admins = await kysely
    .selectFrom('admins')
    .select(['id', 'role'])
    .where('is_active', '=', true)
    .orderBy('email')
    .execute();
  const managerId = admins.find(({ role }) => role === 'manager')?.id;
  if (managerId === undefined) throw new Error('the sample staff have no manager');
  await withNewObjects(stores, async (objects) => {
    const { tables, contests } = await sampleData({
      creatorId: creator.id,
      adminIds: admins.map(({ id }) => id),
      managerId,
      now: Date.now(),
      storePicture: (picture) => storePicture(objects, picture),
      storeFile: (file, mimeType) => storeFile(objects, file, mimeType),
    });
    await kysely.transaction().execute(async (tx) => {
      for (const [name, rows] of Object.entries(tables)) {
        const table = sql.table(name);
        // The rows are passed as JSON, because a statement can have at most 65,535 separate values.
        const columns = sql.join(Object.keys(rows[0] ?? {}).map((column) => sql.ref(column)));
        await sql`insert into ${table} (${columns}) select ${columns}
          from json_populate_recordset(null::${table}, ${JSON.stringify(rows)})`.execute(tx);
      }
      // These rows bypassed the server's statements that maintain the figures.
      await sql`select note_sent_messages(), sum_up_anew()`.execute(tx);
      await noteActivity(tx);
      await addEarnings(tx, managerId, contests);
      await objects.keep(tx);
    });
  });
}

/** Books the sample's sales and hours, closes all pay periods but the last two, and contests some of the sales. */
async function addEarnings(
  tx: Tx,
  managerId: string,
  added: SampleData['contests'],
): Promise<void> {
  const ledger = await lockLedger(tx);
  while (await bookBatch(tx, ledger));
  for (const period of (await openPeriods(tx)).slice(0, -2))
    await insertPeriod(tx, period, managerId);
  for (const { purchaseId, adminId: admin_id, reason, answer } of added) {
    const line = await tx
      .selectFrom('earning_lines')
      .selectAll()
      .where('purchase_id', '=', purchaseId)
      .executeTakeFirstOrThrow();
    const id = await insertContest(tx, { line_id: line.id, admin_id, reason });
    if (id === null || answer === null) continue;
    const half = Math.floor(line.amount_cents / 2);
    const parts = new Map([
      [admin_id, half],
      [line.admin_id, line.amount_cents - half],
    ]);
    await moveParts(tx, { id, at: ledger.now, answer }, line, parts);
    await answerContest(tx, id, { state: 'accepted', answer, answered_by: managerId });
  }
}

async function storePicture(objects: NewObjects, picture: Buffer) {
  const full = await objects.put('products', picture, 'image/jpeg');
  const preview = await objects.put('products', await makePreview(picture), 'image/webp');
  const small = await makeThumbnail(picture, PRODUCT_THUMBNAIL_PIXELS);
  const thumbnail = await objects.put('products', small, 'image/webp');
  return {
    full_key: full.key,
    preview_key: preview.key,
    thumbnail_key: thumbnail.key,
    size: full.size,
  };
}

async function storeFile(objects: NewObjects, file: Buffer, mimeType: string) {
  const stored = await objects.put('products', file, mimeType);
  if (!mimeType.startsWith('image/')) return { ...stored, thumbnail_key: null };
  const small = await makeThumbnail(file, PRODUCT_THUMBNAIL_PIXELS);
  const { key } = await objects.put('products', small, 'image/webp');
  return { ...stored, thumbnail_key: key };
}

export function serveSampleAvatars(app: FastifyInstance): void {
  const options = { schema: { hide: true }, logLevel: 'warn' } as const;
  app.get('/sample-avatars/:file', options, async (request, reply) => {
    const avatar = sampleAvatar(request.url.replace(/\?.*/, ''));
    if (avatar === null) return notFound(request, reply);
    return reply
      .type('image/svg+xml; charset=utf-8')
      .header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`)
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .send(avatar);
  });
}

/** Lets the sample fans keep writing. @param db used to find the fans whom staff have answered */
export const startSampleFans = (
  db: Database,
  options: Omit<LivelyOptions, 'answeredSince'>,
): ReturnType<typeof startLively> =>
  startLively({ ...options, answeredSince: (since) => answeredSince(db, since) });

/** Returns the platform ids of the fans whose conversation's last message is from staff and newer than an instant. */
async function answeredSince({ kysely }: Database, since: Date): Promise<string[]> {
  const rows = await kysely
    .selectFrom('conversations')
    .innerJoin('fans', 'fans.id', 'conversations.fan_id')
    .select('fans.external_id')
    .where('conversations.last_message_at', '>', since)
    .where('conversations.waiting_since', '=', sql<Date>`'infinity'`)
    .execute();
  return rows.map((row) => row.external_id);
}
