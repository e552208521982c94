import type { Endpoint } from '@stagedoor/contract/endpoint';
import { endpoints } from '@stagedoor/contract/endpoints';
import { createInvites } from '@stagedoor/contract/fans/invites';
import { requestOtp, verifyOtp } from '@stagedoor/contract/team/auth';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildAdmin, buildConversation, unique } from '../test/factories.ts';
import { fuzzEndpoint } from '../test/fuzz/campaign.ts';
import type { FuzzRequest } from '../test/fuzz/requests.ts';
import { openFuzzWorld } from '../test/fuzz/world.ts';
import { until } from '../test/until.ts';
import { createLogger } from './log.ts';

/** Creates a log that keeps its lines. */
function keptLog() {
  const lines: string[] = [];
  const log = createLogger('trace', { write: (line) => void lines.push(line) });
  return { log, lines };
}

/** Returns texts that are too long to be in a log by coincidence. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.length >= 12 ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

const spokenIn = ({ body, query, headers }: FuzzRequest): string[] =>
  textsOf([body.kind === 'json' ? body.value : null, query.map(([, value]) => value), headers]);

/** Texts that may be logged even if a client sent them: the program's own names, and ids, which reveal nothing by themselves. */
const MAY_BE_LOGGED = /^(@\w+\/\d|[a-z_]+|[\w-]{36})$/;

test('at the most verbose level, after any request and any failure, the log contains no credentials, personal data or message texts', async () => {
  const { log, lines } = keptLog();
  const world = await openFuzzWorld(log);
  const { app } = world;
  const spoken = new Set<string>();
  const credentials = new Set<string>();
  for (const [name, endpoint] of Object.entries(endpoints) as [string, Endpoint][]) {
    await fuzzEndpoint(world, name, endpoint, { runs: 2, seed: 7 }, async (_reply, request) => {
      for (const text of spokenIn(request)) spoken.add(text);
    });
    for (const secret of world.secrets().always) credentials.add(secret);
    if (endpoint.method === 'DELETE' || /sign-?out/.test(endpoint.path)) {
      await world.renewActors(endpoint.auth);
    }
  }

  // Failures: emails rejected by servers that repeat the recipient, and a database that stops answering.
  const email = `${unique('canary')}@staff.example`;
  await buildAdmin(app, { email });
  app.smtp.closed.set(email, 550);
  await app.anonymous.raw('POST', requestOtp.path, {
    body: { email },
    headers: { 'x-forwarded-for': '192.0.2.1' },
  });
  await until('a mail that was refused', () =>
    lines.some((line) => line.includes('not be emailed')),
  );
  const guest = `${unique('canary')}@fans.example`;
  app.smtp.closed.set(guest, 450);
  const { client } = world.staff.support;
  await client.raw('POST', createInvites.path, { body: { emails: [guest] } });
  const { messages, fan } = await buildConversation(app, { messages: ['CANARY of a message'] });
  await sql`alter table messages add constraint messages_canary check (content !~ 'CANARY OF')`.execute(
    app.db.kysely,
  );
  const failed = await app.platform.raw('POST', `/api/platform/fans/${fan.external_id}/messages`, {
    body: { client_id: 'CANARY-client-id', content: 'CANARY OF a message' },
  });
  expect(failed.status).toBe(500);

  const code = await app.signIn((await buildAdmin(app)).email).catch(() => '');
  await app.anonymous.raw('POST', verifyOtp.path, { body: { email, code: '194837' } });
  await world.close();

  const said = lines.join('');
  expect(lines.length).toBeGreaterThan(200);
  expect(said).toContain('request failed');
  const inLog = (text: string) => said.includes(JSON.stringify(text).slice(1, -1));
  expect([...credentials].filter(inLog)).toEqual([]);
  expect([...spoken].filter((text) => !MAY_BE_LOGGED.test(text) && inLog(text))).toEqual([]);
  expect(said).not.toMatch(/@(staff|fans)\.example|CANARY/);
  // Digits within ids and durations are not codes.
  const alone = (text: string) => new RegExp(`(?<![\\w.-])${text}(?![\\w.-])`);
  expect(said).not.toMatch(alone('194837'));
  if (code !== '') expect(said).not.toMatch(alone(code));
  expect(messages).toHaveLength(1);
  for (const { mail } of app.smtp.received) {
    const sent = /\b\d{6}\b|\/invite\/[\w-]+/.exec(mail.text ?? '')?.[0] ?? 'none';
    expect(said).not.toMatch(alone(sent));
  }
});
