import { readFile } from 'node:fs/promises';
import { endpoints } from '@stagedoor/contract/endpoints';
import { inbox } from '@stagedoor/contract/inbox/conversations';
import { expect, test } from 'vitest';
import { buildConversation, buildReply, buildStaff } from '../../test/factories.ts';
import { rawRequest, statusInHttp10 } from '../../test/raw-request.ts';
import { sharedApp, startTestApp } from '../../test/test-app.ts';
import { until } from '../../test/until.ts';
import { openInviteDesk, someone } from '../../test/worlds/invites.ts';

const app = await sharedApp();

const fileOf = (name: string) => readFile(new URL(`../../../../${name}`, import.meta.url), 'utf8');
const metricsOf = async () => (await app.anonymous.raw('GET', '/metrics')).text;
/** Returns the sum of a metric over all its labels; null if it isn't reported. */
async function figureOf(name: string): Promise<number | null> {
  const lines = (await metricsOf()).split('\n').filter((line) => line.startsWith(name));
  const values = lines.filter((line) => /^[ {]/.test(line.slice(name.length)));
  return values.length === 0
    ? null
    : values.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

test('messages are counted once, by author, and failed emails are counted', async () => {
  const staff = await buildStaff(app);
  const { id } = await buildConversation(app, { messages: ['one', 'two'] });
  await buildReply(staff, id);
  const text = await metricsOf();
  expect(text).toContain('stagedoor_messages_total{from="fan"} 2');
  expect(text).toContain('stagedoor_messages_total{from="staff"} 1');
  expect(await figureOf('stagedoor_mail_failures_total')).toBe(0);
  const invited = someone();
  app.smtp.closed.set(invited, 451);
  await (await openInviteDesk(app)).invite([invited]);
  await until('a mail failed', async () => (await figureOf('stagedoor_mail_failures_total')) === 1);
});

test('metrics report the number and age of waiting work', async () => {
  await app.db.kysely
    .insertInto('outbox')
    .values({
      event: 'unknown',
      payload: '{}',
      created_at: new Date(Date.now() - 60_000),
    })
    .execute();
  expect(await figureOf('stagedoor_outbox_events')).toBeGreaterThanOrEqual(1);
  expect(await figureOf('stagedoor_outbox_oldest_seconds')).toBeGreaterThan(50);
  await app.db.kysely.deleteFrom('outbox').execute();
  expect(await figureOf('stagedoor_outbox_oldest_seconds')).toBeLessThan(50);
  expect(await figureOf('stagedoor_db_up')).toBe(1);
  expect(await figureOf('stagedoor_disk_free_bytes')).toBeGreaterThan(0);
});

test('only programs on the same machine can read the metrics, and not through a proxy', async () => {
  const statusWith = async (headers: Record<string, string>, url = app.url) =>
    (await rawRequest(url, { path: '/metrics', headers })).status;
  expect(await statusWith({})).toBe(200);
  for (const header of ['x-forwarded-for', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via']) {
    expect(await statusWith({ [header]: '::1' }), header).toBe(404);
  }
  expect(await statusWith({ host: 'inbox.example.com' })).toBe(404);
  expect(await statusWith({ connection: 'upgrade' })).toBe(404);
  expect(await statusInHttp10(app.url, '/metrics')).toBe(404);
});

test('behind a proxy, the metrics need a token', async () => {
  const own = await startTestApp({ config: { publicUrl: 'https://inbox.example.com' } });
  const reply = await own.anonymous.raw('GET', '/metrics');
  expect([reply.status, JSON.parse(reply.text).code]).toEqual([404, 'not_found']);
  await own.close();
});

test('with a token set, any machine that sends it can read the metrics', async () => {
  const metricsToken = 'the-token-of-the-monitoring';
  const own = await startTestApp({ config: { metricsToken } });
  const ask = (headers: Record<string, string>) =>
    own.anonymous.raw('GET', '/metrics', { headers });
  const outside = { 'x-forwarded-for': '203.0.113.9' };
  expect((await ask({})).status).toBe(401);
  expect((await ask({ authorization: `Bearer ${metricsToken}x` })).status).toBe(401);
  const { status, text } = await ask({ ...outside, authorization: `Bearer ${metricsToken}` });
  expect([status, text.includes('stagedoor_sockets 0')]).toEqual([200, true]);
  expect(text).not.toContain(metricsToken);
  await own.close();
});

test('every alert uses existing metrics and links to a runbook heading', async () => {
  const staff = await buildStaff(app);
  await staff.client.call(inbox);
  const exported = new Set(
    [...(await metricsOf()).matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  );
  // Prometheus's own metric, and one that only installations with several nodes have.
  exported.add('up').add('stagedoor_broker_up');
  const alerts = (await fileOf('deploy/alerts.yml')).split(/^ {6}- alert: /m).slice(1);
  const runbook = await fileOf('docs/operating.md');
  const anchors = new Set(
    [...runbook.matchAll(/^#+ (.+)$/gm)].map(
      ([, title = '']) =>
        `#${title
          .toLowerCase()
          .replaceAll(/[^\w -]/g, '')
          .replaceAll(' ', '-')}`,
    ),
  );
  expect(alerts.length).toBeGreaterThan(10);
  for (const alert of alerts) {
    const [name] = alert.split('\n');
    const expr = /^ +expr: (.+)$/m.exec(alert)?.[1] ?? '';
    const asked = expr.match(/\b(?:stagedoor|nodejs|process)_\w+|\bup\b/g) ?? [];
    expect(asked, name).not.toEqual([]);
    expect(
      asked.filter((metric) => !exported.has(metric)),
      name,
    ).toEqual([]);
    const route = /route="([^"]+)"/.exec(expr)?.[1];
    if (route) expect(Object.values(endpoints).map(({ path }) => path as string)).toContain(route);
    expect(anchors, name).toContain(/runbook: docs\/operating\.md(#\S+)/.exec(alert)?.[1]);
    // The runbook must also name the alert.
    expect(runbook, name).toContain(`\`${name}\``);
  }
});
