import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { replaceTags, updateNotes } from '@stagedoor/contract/fans/fans';
import { getFanHome } from '@stagedoor/contract/platform/fan-app';
import { createFanSession } from '@stagedoor/contract/platform/platform';
import { updateProduct } from '@stagedoor/contract/selling/products';
import { expect, test } from 'vitest';
import { buildFan, buildFanMessage, buildReply, buildStaff } from '../../test/factories.ts';
import { uploadAsStaff } from '../../test/files.ts';
import { rawRequest } from '../../test/raw-request.ts';
import { startWebhookReceiver } from '../../test/servers/webhook-receiver.ts';
import { startTestApp } from '../../test/test-app.ts';
import { buildOffer, buildProduct } from '../../test/worlds/catalogue.ts';
import { signInFan } from '../../test/worlds/fan-world.ts';

/** Starts a server that must never receive a request. */
async function startCanary() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { asked, url, close: () => server.close() };
}

test('the server never fetches a URL from a request', async () => {
  const canary = await startCanary();
  const { url } = canary;
  const receiver = await startWebhookReceiver();
  const app = await startTestApp({ webhook: { url: receiver.url, secret: receiver.secret } });
  const manager = await buildStaff(app, { role: 'manager' });
  const fan = await buildFan(app, { first_name: url, username: url, avatar_url: `${url}/avatar` });
  const params = { id: fan.conversation_id };

  await buildFanMessage(app, fan, { content: `${url}/message <img src="${url}/img">` });
  await buildReply(manager, params.id, { content: `${url}/reply` });
  await manager.client.call(updateNotes, { params, body: { notes: `${url}/note`, dob: url } });
  await manager.client.call(replaceTags, { params, body: { tags: [{ label: url.slice(0, 60) }] } });
  const text = (content: string) => new TextEncoder().encode(content);
  const files = await uploadAsStaff(
    manager,
    params.id,
    { data: text(`#EXTM3U\n#EXTINF:1,\n${url}/list.ts\n`), filename: 'list.m3u8' },
    {
      data: text(
        `<!DOCTYPE x [<!ENTITY e SYSTEM "${url}/entity">]><svg><image href="${url}/svg"/>&e;</svg>`,
      ),
      filename: 'drawing.txt',
    },
    { data: text(`%PDF-1.7\n/URI (${url}/pdf)`), filename: 'a.pdf' },
    { data: text('x'), filename: `${url}/name.txt` },
  );
  await buildReply(manager, params.id, { attachments: files.map(({ id }) => ({ id })) });
  const product = await buildProduct(manager, { title: url, description: `${url}/product` });
  await manager.client.call(updateProduct, { params: product, body: { description: url } });
  await buildOffer(manager, params.id, [product]);
  await app.platform.call(createFanSession, {
    params: { fan: fan.external_id },
    body: { checkout_url: `${url}/checkout`, embed_origin: url },
  });
  const { client } = await signInFan(app, fan);
  await client.call(getFanHome);
  const { host } = new URL(url);
  for (const headers of [{ host }, { host, 'x-forwarded-host': host, forwarded: `host=${host}` }]) {
    await rawRequest(app.url, { path: '/invite/x', headers });
    await rawRequest(app.url, { path: getFanHome.path, headers: { ...headers, referer: url } });
  }
  // Closing waits for all queued background work.
  await app.close();
  await receiver.close();
  expect(canary.asked).toEqual([]);

  await fetch(`${url}/received`);
  expect(canary.asked).toEqual(['/received']);
  canary.close();
});
