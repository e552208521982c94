import { randomBytes } from 'node:crypto';
import { createInvites, resendInvite } from '@stagedoor/contract/fans/invites';
import { expect, test } from 'vitest';
import { buildStaff } from '../../../test/factories.ts';
import { sharedApp, startSecondProcess, startTestApp } from '../../../test/test-app.ts';
import { until } from '../../../test/until.ts';
import { openInviteDesk, someone } from '../../../test/worlds/invites.ts';
import { smtpMailer } from '../../mail/mailer.ts';

const inviteKey = randomBytes(32);
const inviteRetries = { attempts: 3, firstPause: 1, longestPause: 1 };
const app = await sharedApp({ inviteKey, inviteRetries });
const { staff, invite, find, reaches, mailedToken } = await openInviteDesk(app);

const mailsTo = (email: string) => app.smtp.received.filter(({ to }) => to.includes(email));

test('a temporary refusal is retried, and the invitation arrives once', async () => {
  const email = someone();
  app.smtp.closed.set(email, 450);
  await invite([email]);
  const waiting = await until('the first refusal is noted', async () => {
    const found = await find(email);
    return found?.error ? found : null;
  });
  expect(waiting).toMatchObject({ state: 'queued', sent_at: null, can_resend: false });
  expect(waiting.error).toContain('Mailbox unavailable');
  const early = await staff.client.refused(resendInvite, { params: { id: waiting.id } });
  expect(early).toMatchObject({ status: 409, code: 'invite_pending' });
  app.smtp.closed.delete(email);
  expect(await reaches(email, 'sent')).toMatchObject({ error: null });
  expect(mailsTo(email)).toHaveLength(1);
});

test('a permanent refusal fails immediately, with its reason', async () => {
  const [email, other] = [someone(), someone()];
  app.smtp.closed.set(email, 550);
  const refused = app.smtp.refused;
  await invite([email, other]);
  const failed = await reaches(email, 'failed');
  expect(failed.error).toContain('550 Mailbox unavailable');
  expect(failed).toMatchObject({ sent_at: null, can_resend: true });
  expect(app.smtp.refused).toBe(refused + 1);
  await reaches(other, 'sent');

  app.smtp.closed.delete(email);
  await staff.client.call(resendInvite, { params: { id: failed.id } });
  expect(await reaches(email, 'sent')).toMatchObject({ error: null });
  expect(mailsTo(email)).toHaveLength(1);
});

test('after the last attempt, the invitation has failed and can be created again', async () => {
  const email = someone();
  app.smtp.closed.set(email, 451);
  await invite([email]);
  const failed = await reaches(email, 'failed');
  expect(failed.error).toContain('451');
  app.smtp.closed.delete(email);
  expect((await invite([email])).success).toHaveLength(1);
  await reaches(email, 'sent');
});

test('the error for an unreachable mail server doesn’t contain its address', async () => {
  const dead = await startTestApp({
    mailer: smtpMailer('smtp://user:secret@127.0.0.1:1', 'x@stagedoor.test'),
    inviteRetries: { ...inviteRetries, attempts: 1 },
  });
  const desk = await openInviteDesk(dead);
  const email = someone();
  await desk.invite([email]);
  expect((await desk.reaches(email, 'failed')).error).toBe('The mail server could not be reached');
  await dead.close();
});

test('invitations waiting at shutdown are sent once after the restart', async () => {
  const first = await startTestApp({ inviteKey, inviteRetries });
  const { client } = await buildStaff(first);
  first.smtp.refuse = true;
  const emails = Array.from({ length: 12 }, () => someone());
  await client.call(createInvites, { body: { emails } });
  await until('a try', () => first.smtp.refused > 0);
  await first.app.close();
  first.smtp.refuse = false;
  const stop = await startSecondProcess(first, { inviteKey });
  await until('all have theirs', () =>
    emails.every((email) => first.smtp.received.some(({ to }) => to.includes(email))),
  );
  await stop();
  expect(first.smtp.received).toHaveLength(emails.length);
  await first.close();
});

test('a repeated email keeps its message id, and another invitation has another', async () => {
  const [email, other] = [someone(), someone()];
  await invite([email, other]);
  await mailedToken(email);
  await mailedToken(other);
  const ids = [email, other].map((one) => mailsTo(one)[0]?.mail.messageId);
  const { id } = await reaches(email, 'sent');
  expect(ids[0]).toBe(`<${id}.1@stagedoor.test>`);
  expect(ids[1]).not.toBe(ids[0]);
});

test('a creator’s name can’t inject email headers or markup', async () => {
  const name = 'Eve\r\nBcc: all@fans.example <script>alert(1)</script>';
  await app.db.kysely.updateTable('creators').set({ display_name: name }).execute();
  const email = someone();
  await invite([email]);
  const { mail, to } = await app.smtp.mailTo(email);
  expect(to).toEqual([email]);
  expect(mail.bcc).toBeUndefined();
  expect(mail.headers.map(({ key }) => key)).not.toContain('bcc');
  expect(mail.html).not.toContain('<script');
});
