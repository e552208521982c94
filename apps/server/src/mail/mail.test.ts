import { requestOtp, verifyOtp } from '@stagedoor/contract/team/auth';
import { expect, test } from 'vitest';
import { buildAdmin } from '../../test/factories.ts';
import { rawRequest, statusInHttp10 } from '../../test/raw-request.ts';
import { startTestApp } from '../../test/test-app.ts';
import { until } from '../../test/until.ts';
import { developmentMailbox } from './development-mailbox.ts';
import { smtpMailer } from './mailer.ts';

test('an overloaded mail server delays a code but does not lose it', async () => {
  const app = await startTestApp();
  const admin = await buildAdmin(app);
  app.smtp.refuse = true;
  const reply = await app.anonymous.call(requestOtp, { body: { email: admin.email } });
  expect(reply.status).toBe(200);
  await until('the first refusal', () => app.smtp.refused > 0);
  app.smtp.refuse = false;
  const code = await app.smtp.codeFor(admin.email);
  await app.anonymous.call(verifyOtp, { body: { email: admin.email, code } });
  expect(app.smtp.received).toHaveLength(1);
  await app.close();
});

test('while the mail server is unreachable, requesting a code gets the usual reply, and the server keeps running', async () => {
  const app = await startTestApp({ mailer: smtpMailer('smtp://127.0.0.1:1', 'x@stagedoor.test') });
  const admin = await buildAdmin(app);
  const known = await app.anonymous.call(requestOtp, { body: { email: admin.email } });
  const unknown = await app.anonymous.call(requestOtp, { body: { email: 'nobody@staff.example' } });
  expect(known.text).toBe(unknown.text);
  expect((await app.anonymous.raw('GET', '/api/health')).status).toBe(200);
  await app.close();
});

test('without a mail server, local programs can read the emails on a page', async () => {
  const mailbox = developmentMailbox();
  const app = await startTestApp({ mailer: mailbox });
  const admin = await buildAdmin(app);
  await app.anonymous.call(requestOtp, { body: { email: admin.email } });
  const json = await until('the mail', async () => {
    const { text } = await app.anonymous.raw('GET', mailbox.path, {
      headers: { accept: 'application/json' },
    });
    const { data } = JSON.parse(text) as { data: { to: string; subject: string }[] };
    return data[0];
  });
  expect(json.to).toBe(admin.email);
  const code = /\d{6}/.exec(json.subject)?.[0] ?? '';
  const page = await app.anonymous.raw('GET', mailbox.path);
  expect(page.text).toContain(code);
  expect(page.headers.get('cache-control')).toBe('no-store');
  await app.anonymous.call(verifyOtp, { body: { email: admin.email, code } });
  await app.close();
});

test('only local programs can open the mailbox', async () => {
  const mailbox = developmentMailbox();
  const app = await startTestApp({ mailer: mailbox });
  const { port } = new URL(app.url);
  const statusWith = async (headers: Record<string, string>) =>
    (await rawRequest(app.url, { path: mailbox.path, headers })).status;
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`]) {
    expect(await statusWith({ host }), host).toBe(200);
  }
  const refused = [
    { host: 'evil.example' },
    { host: `127.0.0.1.evil.example:${port}` },
    { host: `localhost.evil.example:${port}` },
    { host: 'localhost', 'x-forwarded-for': '127.0.0.1' },
    { host: 'localhost', forwarded: 'for=127.0.0.1' },
    { host: 'localhost', 'x-forwarded-proto': 'https' },
    { host: 'localhost', 'x-real-ip': '127.0.0.1' },
    { host: 'localhost', via: '1.1 proxy' },
    // nginx with only its WebSocket settings.
    { host: 'localhost', connection: 'upgrade' },
  ];
  for (const headers of refused)
    expect(await statusWith(headers), JSON.stringify(headers)).toBe(404);
  // nginx without any settings proxies with this HTTP version.
  expect(await statusInHttp10(app.url, mailbox.path)).toBe(404);
  await app.close();
});

test('the mailbox has a secret path, which changes at every start', async () => {
  const mailbox = developmentMailbox();
  const app = await startTestApp({ mailer: mailbox });
  const [, secret = ''] = /^\/dev\/mailbox\/([\w-]{22})$/.exec(mailbox.path) ?? [];
  expect(secret).not.toBe('');
  expect(developmentMailbox().path).not.toBe(mailbox.path);
  const wrong = `${secret.startsWith('A') ? 'B' : 'A'}${secret.slice(1)}`;
  for (const path of [
    '/dev/mailbox',
    '/dev/mailbox/',
    `/dev/mailbox/${wrong}`,
    `/dev/mailbox/${wrong}/style.css`,
    `${mailbox.path}x`,
  ]) {
    expect((await app.anonymous.raw('GET', path)).status, path).toBe(404);
  }
  expect((await app.anonymous.raw('GET', `${mailbox.path}/style.css`)).status).toBe(200);
  expect((await app.anonymous.raw('GET', '/metrics')).text).not.toContain(secret);
  await app.close();
});

test('with a mail server there is no mailbox', async () => {
  const app = await startTestApp();
  expect((await app.anonymous.raw('GET', developmentMailbox().path)).status).toBe(404);
  await app.close();
});

test('an email’s content is shown as text, never as markup', async () => {
  const mailbox = developmentMailbox();
  const app = await startTestApp({ mailer: mailbox });
  await mailbox.send({
    to: 'a@x.example',
    subject: '<img src=x onerror=alert(1)>',
    text: '</pre><script>1</script>',
    html: '',
    language: 'en',
  });
  const { text } = await app.anonymous.raw('GET', mailbox.path);
  expect(text).not.toContain('<img');
  expect(text).not.toContain('<script');
  await app.close();
});
