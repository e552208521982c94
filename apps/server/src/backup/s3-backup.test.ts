import { DeleteObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { eraseFan, recordPurchase } from '@stagedoor/contract/platform/platform';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { buildConversation, buildFanMessage, buildReply, unique } from '../../test/factories.ts';
import { fetchFile, uploadAsFan, uploadAsStaff } from '../../test/files.ts';
import { leftOut } from '../../test/left-out.ts';
import {
  SWIFT_CREDENTIALS,
  type Swift,
  startSwift,
  swiftMissing,
} from '../../test/servers/swift.ts';
import { startTestApp } from '../../test/test-app.ts';
import { findInObjects } from '../../test/traces.ts';
import { openBackupWorld, quietly } from '../../test/worlds/backup-world.ts';
import { openMarket } from '../../test/worlds/market.ts';
import { createLogger } from '../log.ts';
import { sweepFiles } from '../media/new-objects.ts';
import { openStorage } from '../storage/open-storage.ts';
import { createBackup } from './create-backup.ts';
import { restoreBackup } from './restore-backup.ts';

const log = createLogger('silent');
const skips = leftOut('Backups of a bucket are', swiftMissing());

describe.skipIf(skips)('an installation on a bucket', () => {
  let swift: Swift;
  let client: S3Client;
  let world: Awaited<ReturnType<typeof openBackupWorld>>;
  const settings = (bucket: string) => ({ bucket, endpoint: swift.endpoint, region: 'us-east-1' });
  const keysIn = async (bucket: string) =>
    ((await client.send(new ListObjectsV2Command({ Bucket: bucket }))).Contents ?? []).map(
      ({ Key = '' }) => Key,
    );

  beforeAll(async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', SWIFT_CREDENTIALS.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', SWIFT_CREDENTIALS.secretAccessKey);
    swift = await startSwift();
    world = await openBackupWorld();
    client = new S3Client({
      endpoint: swift.endpoint,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: SWIFT_CREDENTIALS,
    });
    for (const bucket of ['live', 'restored', 'forgetting', 'lossy'])
      await swift.createBucket(bucket);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    client?.destroy();
    await world?.close();
    await swift?.stop();
  });

  test('is backed up while files and messages arrive, and restored into another bucket without missing or unreferenced files', async () => {
    const app = await startTestApp({
      storage: await openStorage({ dataDir: '', s3: settings('live') }),
    });
    const market = await openMarket(app);
    const deal = await market.buildDeal();
    await app.platform.call(recordPurchase, { body: deal.sale });
    const { fan, id } = await buildConversation(app);
    let over = false;
    const uploaded: string[] = [];
    const writing = (async () => {
      while (!over) {
        const name = unique('file');
        const [file] = await uploadAsStaff(market.seller, id, {
          data: Buffer.from(name),
          filename: `${name}.txt`,
        });
        await buildReply(market.seller, id, {
          content: name,
          attachments: [{ id: file?.id ?? '' }],
        });
        uploaded.push(name);
      }
    })();
    const message = await buildFanMessage(app, fan, { client_id: 'before', content: 'before' });
    const folder = world.newFolder();
    const source = { db: app.db, storage: app.storage, dataDir: world.source.dataDir };
    const { objects } = await createBackup(source, folder, quietly);
    over = true;
    await writing;
    expect(objects.missing).toEqual([]);

    const target = { ...(await world.emptyTarget()), s3: settings('restored') };
    await restoreBackup(folder, target, log, quietly);
    const restored = await startTestApp({
      databaseUrl: target.databaseUrl,
      storage: await openStorage(target),
    });
    // Everything that a row references is there, and nothing else.
    expect(await keysIn('restored')).toHaveLength(objects.count);
    const again = await buildFanMessage(restored, fan, { client_id: 'before', content: 'before' });
    expect(again.id).toBe(message.id);
    const there = await openMarket(restored);
    const { ofFan, ofStaff } = await there.seen(deal);
    expect(ofFan.locked).toBe(false);
    expect((await fetchFile(restored, ofStaff.url)).status).toBe(200);

    // Restoring a backup of the restored installation gives the same again, now without the original bucket.
    const second = world.newFolder();
    const copy = { db: restored.db, storage: restored.storage, dataDir: target.dataDir };
    expect((await createBackup(copy, second, quietly)).objects.count).toBe(objects.count);
    await restored.close();
    await app.close();
  });

  test('keeps nothing of an erased fan in its bucket', async () => {
    const storage = await openStorage({ dataDir: '', s3: settings('forgetting') });
    const app = await startTestApp({ storage });
    const { fan } = await buildConversation(app, { messages: [] });
    const word = unique('canary').replaceAll('-', '');
    const [file] = await uploadAsFan(app, fan, { data: Buffer.from(word), filename: 'diary.txt' });
    await buildFanMessage(app, fan, { attachment_ids: [file?.id ?? ''] });
    expect(await findInObjects(storage, await keysIn('forgetting'), [word])).toHaveLength(1);
    await app.platform.call(eraseFan, { params: { fan: fan.external_id } });
    await sweepFiles(app);
    expect(await keysIn('forgetting')).toEqual([]);
    await app.close();
  });

  test('is backed up without a file that its bucket has lost, and reports it', async () => {
    const storage = await openStorage({ dataDir: '', s3: settings('lossy') });
    const app = await startTestApp({ storage });
    const deal = await (await openMarket(app)).buildDeal();
    const { full_key: key } = await app.db.kysely
      .selectFrom('products')
      .select('full_key')
      .where('id', '=', deal.product.id)
      .executeTakeFirstOrThrow();
    await client.send(new DeleteObjectCommand({ Bucket: 'lossy', Key: key }));
    const folder = world.newFolder();
    const source = { db: app.db, storage, dataDir: world.source.dataDir };
    expect((await createBackup(source, folder, quietly)).objects.missing).toEqual([key]);
    await app.close();
  });
});
