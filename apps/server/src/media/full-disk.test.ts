import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { uploadFiles } from '@stagedoor/contract/media';
import { listMessages, sendMessage } from '@stagedoor/contract/messaging/messages';
import { createProduct, listProducts } from '@stagedoor/contract/selling/products';
import { sql } from 'kysely';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { buildConversation, buildStaff, unique } from '../../test/factories.ts';
import { filesForm, traces, uploadAsStaff } from '../../test/files.ts';
import { mountSmallDisk } from '../../test/servers/small-disk.ts';
import { startTestApp } from '../../test/test-app.ts';
import { buildProduct, productForm } from '../../test/worlds/catalogue.ts';
import { openLocalStorage } from '../storage/local-storage.ts';

const MEGABYTE = 1024 * 1024;

test('on a full disk uploads and products are rejected with 507, leave nothing, and work again once there is space', async (context) => {
  const disk = await mountSmallDisk(4);
  if (disk === null) {
    context.skip('a small file system can be mounted by root only');
    return;
  }
  const app = await startTestApp({ storage: await openLocalStorage(disk.root) });
  try {
    const staff = await buildStaff(app, { role: 'manager' });
    const { id } = await buildConversation(app);
    const left = async () => {
      const entries = await readdir(disk.root, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
      return { rows: await traces(app), files: files.toSorted() };
    };
    const file = (megabytes: number) => ({
      data: randomBytes(megabytes * MEGABYTE),
      filename: 'a.bin',
    });
    await uploadAsStaff(staff, id, file(1));
    const before = await left();
    const body = filesForm([file(1), file(8)], { conversation_id: id });
    expect(await staff.client.refused(uploadFiles, { body })).toMatchObject({
      status: 507,
      code: 'storage_full',
    });
    expect(await left()).toEqual(before);

    const noise = randomBytes(1_200 * 1_200 * 3);
    const data = await sharp(noise, { raw: { width: 1_200, height: 1_200, channels: 3 } })
      .png()
      .toBuffer();
    const product = await productForm({ image: { data } });
    expect(await staff.client.refused(createProduct, { body: product })).toMatchObject({
      status: 507,
      code: 'storage_full',
    });
    expect(await left()).toEqual(before);
    expect((await staff.client.call(listProducts)).body.data).toEqual([]);

    await buildProduct(staff);
    await uploadAsStaff(staff, id, file(1));
  } finally {
    await app.close();
    await disk.unmount();
  }
});

test('if the database’s disk is full, uploads are rejected with 507 and leave nothing', async () => {
  const app = await startTestApp();
  const staff = await buildStaff(app);
  const { id } = await buildConversation(app);
  await sql`create function full_disk() returns trigger language plpgsql as
    $$ begin raise disk_full; end $$`.execute(app.db.kysely);
  await sql`create trigger full_disk before insert on uploads execute function full_disk()`.execute(
    app.db.kysely,
  );
  const body = filesForm([{ data: randomBytes(9), filename: 'a.bin' }], { conversation_id: id });
  expect(await staff.client.refused(uploadFiles, { body })).toMatchObject({
    status: 507,
    code: 'storage_full',
  });
  expect(await traces(app)).toEqual({ files: [], uploads: 0, garbage: 0 });
  await app.close();
});

test('while the database’s disk is full no send is confirmed and staff see why; once there is space the same send succeeds once', async () => {
  const app = await startTestApp();
  const { client, token } = await buildStaff(app);
  const { id } = await buildConversation(app, { messages: [] });
  const socket = await app.connectSocket(token);
  await sql`create function full_disk() returns trigger language plpgsql as
    $$ begin raise disk_full; end $$`.execute(app.db.kysely);
  await sql`create trigger full_disk before insert on messages execute function full_disk()`.execute(
    app.db.kysely,
  );
  const tempId = unique('temp');
  const send = {
    headers: { 'idempotency-key': tempId },
    body: { conversation_id: id, content: 'hello' },
  };
  const refusal = await client.refused(sendMessage, send);
  expect(refusal).toMatchObject({ status: 503, code: 'unavailable' });
  expect(refusal.error).toContain('disk is full');
  socket.socket.emit('send_message', { ...send.body, tempId });
  expect(await socket.nextEvent('message_error')).toMatchObject({ error: refusal.error, tempId });
  expect(socket.received('message_sent')).toEqual([]);

  await sql`drop trigger full_disk on messages`.execute(app.db.kysely);
  await client.call(sendMessage, send);
  await client.call(sendMessage, send);
  const { body } = await client.call(listMessages, { params: { id } });
  expect(body.data.map(({ content, seq }) => [seq, content])).toEqual([[1, 'hello']]);
  await app.close();
});
