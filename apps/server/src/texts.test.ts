import { replaceFanLanguages } from '@stagedoor/contract/fans/fan-facts';
import { addAdmin } from '@stagedoor/contract/team/admins';
import { currentAdmin, requestOtp } from '@stagedoor/contract/team/auth';
import {
  subscribeToPush,
  updateNotificationSettings,
} from '@stagedoor/contract/team/notifications';
import { afterAll, describe, expect, test } from 'vitest';
import {
  buildAdmin,
  buildConversation,
  buildFanMessage,
  buildStaff,
  type Staff,
  unique,
} from '../test/factories.ts';
import { startPushService } from '../test/servers/push-service.ts';
import { sharedApp } from '../test/test-app.ts';
import { openInviteDesk, someone } from '../test/worlds/invites.ts';

const service = await startPushService();
afterAll(() => service.close());
const app = await sharedApp({ push: { rules: { allowLoopback: true }, readFirstMs: 0 } });
const { invite } = await openInviteDesk(app);

const asking = (language: string) => ({ headers: { 'accept-language': language } });

/** Uses the console in a language. */
const speak = ({ client }: Staff, language: string) =>
  client.raw('GET', currentAdmin.path, asking(language));

/** Requests a code. @returns its email */
async function codeMail(email: string, language: string) {
  const sent = app.smtp.received.filter(({ to }) => to.includes(email)).length;
  await app.anonymous.raw('POST', requestOtp.path, { body: { email }, ...asking(language) });
  return (await app.smtp.mailTo(email, sent)).mail;
}

describe('the sign-in code', () => {
  test.each([
    ['en', 'is your Stagedoor code', 'for 5 minutes', 'ltr'],
    ['pt-BR,pt;q=0.9,en;q=0.8', 'é o seu código do Stagedoor', 'por 5 minutos', 'ltr'],
    ['es-MX', 'es tu código de Stagedoor', 'durante 5 minutos', 'ltr'],
    ['fi, DE;q=0.5', 'ist dein Stagedoor-Code', 'nur 5 Minuten', 'ltr'],
    ['ar', 'هو رمزك في Stagedoor', '5 دقائق', 'rtl'],
  ])('comes in the language that the browser asks for: %s', async (asked, subject, text, dir) => {
    const { email } = await buildAdmin(app);
    const mail = await codeMail(email, asked);
    expect(mail.subject).toMatch(new RegExp(`^\\d{6} ${subject}$`));
    expect(mail.text).toContain(text);
    expect(mail.html).toContain(text);
    const language = mail.headers.find(({ key }) => key === 'content-language')?.value;
    expect(mail.html).toContain(`<html lang="${language}" dir="${dir}">`);
  });

  test.each(['fi', '*', '', 'den', 'd', 'de_DE', '__proto__', '<script>'])(
    'comes in English if the browser asks for no language of ours: %s',
    async (asked) => {
      const { email } = await buildAdmin(app);
      expect((await codeMail(email, asked)).subject).toContain('is your Stagedoor code');
    },
  );

  test('comes in the admin’s last language if the browser asks for no language of ours', async () => {
    const staff = await buildStaff(app);
    await speak(staff, 'es');
    expect((await codeMail(staff.admin.email, 'fi')).subject).toContain('es tu código');
  });

  test('does not change the admin’s language, because anyone can request one', async () => {
    const staff = await buildStaff(app);
    await speak(staff, 'es');
    await codeMail(staff.admin.email, 'ar');
    await app.db.kysely.deleteFrom('login_codes').execute();
    expect((await codeMail(staff.admin.email, 'fi')).subject).toContain('es tu código');
  });
});

test('a security notice is in the language in which its reader used the console last', async () => {
  const [reader, other, actor] = [
    await buildStaff(app, { role: 'creator' }),
    await buildStaff(app, { role: 'creator' }),
    await buildStaff(app, { role: 'creator' }),
  ];
  await speak(reader, 'es');
  await speak(reader, 'de-AT,de;q=0.9');
  await speak(reader, 'tlh');
  const email = `${unique('new')}@staff.example`;
  await actor.client.call(addAdmin, { body: { email, role: 'moderator' } });
  const { mail } = await app.smtp.mailTo(reader.admin.email);
  expect(mail.subject).toBe('Ein Admin wurde zu Stagedoor hinzugefügt');
  const story = `${actor.admin.email} hat ${email} als Moderator zum Team hinzugefügt.`;
  expect(mail.text).toContain(story);
  expect(mail.text).toMatch(/Das geschah am \d+\. \p{L}+ \d{4} um \d\d:\d\d \(UTC\)\./u);
  expect((await app.smtp.mailTo(other.admin.email)).mail.subject).toContain('An admin was added');
});

describe('an invitation', () => {
  test('comes in the first of the fan’s noted languages that is one of ours', async () => {
    const email = someone();
    const { id } = await buildConversation(app, { fan: { email } });
    const staff = await buildStaff(app);
    const body = { languages: ['fi' as const, 'ar' as const, 'de' as const] };
    await staff.client.call(replaceFanLanguages, { params: { id }, body });
    await invite([email], '3_months_free');
    const { mail } = await app.smtp.mailTo(email);
    expect(mail.subject).toBe('دعوة لك من Aurora: 3 أشهر مجانًا');
    expect(mail.html).toContain('<html lang="ar" dir="rtl">');
    for (const part of [mail.text, mail.html]) expect(part).toMatch(/حتى \d+ [\p{L}\s]+ \d{4}/u);
  });

  test('is in English if the fan’s language is unknown, whatever the inviter’s is', async () => {
    const [email, staff] = [someone(), await buildStaff(app)];
    await speak(staff, 'de');
    await invite([email], 'full_subscription', staff);
    const { mail } = await app.smtp.mailTo(email);
    expect(mail.subject).toBe('Aurora invites you: A full subscription');
    expect(mail.html).toContain('<html lang="en" dir="ltr">');
  });
});

test('a push is in its reader’s language', async () => {
  const { id, fan } = await buildConversation(app, { fan: { first_name: 'Zoe' }, messages: [] });
  const readers = ['de', 'ar', 'en', 'tlh'].map(async (language) => {
    const [staff, browser] = [await buildStaff(app), service.browser()];
    await staff.client.call(subscribeToPush, { body: browser.subscription });
    await staff.client.call(updateNotificationSettings, {
      body: {
        fan_messages: 'all',
        sales: true,
        mentions: true,
        shows_text: false,
        quiet: null,
        time_zone: 'UTC',
      },
    });
    await speak(staff, language);
    return browser;
  });
  const browsers = await Promise.all(readers);
  await buildFanMessage(app, fan);
  const pushes = browsers.map((browser) =>
    browser.next('a push', ({ conversation_id }) => conversation_id === id),
  );
  expect((await Promise.all(pushes)).map(({ body }) => body)).toEqual([
    'Neue Nachricht',
    'رسالة جديدة',
    'New message',
    'New message',
  ]);
});
