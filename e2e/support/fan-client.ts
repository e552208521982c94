import type { Locator, Page } from '@playwright/test';
import { createFanSession } from '@stagedoor/contract/platform/platform';
import { buildConversation } from '../../apps/server/test/factories.ts';
import type { SmtpSink } from '../../apps/server/test/servers/smtp-sink.ts';
import { type Desk, type OpenOptions, PHONE } from './journey.ts';

/** Creates a link to the fan client as a platform does. @returns the link's path and fragment */
export async function fanLink(desk: Desk, externalId: string): Promise<string> {
  const params = { fan: externalId };
  const { body } = await desk.platform.call(createFanSession, { params });
  return `/fan/#link=${body.data.link}`;
}

/** Returns the token of the invitation that was sent to an email address; its page is `/invite/TOKEN`. */
export async function inviteToken(smtp: SmtpSink, email: string): Promise<string> {
  const { mail } = await smtp.mailTo(email);
  const token = /https?:\S+\/invite\/([\w-]+)/.exec(mail.text ?? '')?.[1];
  if (token === undefined) throw new Error('no link in the mail');
  return token;
}

/** Opens a conversation in the fan client on a phone. `complaints` collects the browser's console messages. */
export async function openFan(
  desk: Desk,
  messages: readonly string[] = ['Hello there'],
  { first_name = 'Ana', ...options }: OpenOptions & { readonly first_name?: string } = {},
) {
  const conversation = await buildConversation(desk, { fan: { first_name }, messages });
  const complaints: string[] = [];
  const page = await desk.openSignedOut({
    ...PHONE,
    path: await fanLink(desk, conversation.fan.external_id),
    serviceWorker: true,
    ...options,
    prepare: async (opened) => {
      opened.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      opened.on('pageerror', ({ message }) => complaints.push(message));
      await options.prepare?.(opened);
    },
  });
  return { ...conversation, page, complaints };
}

/** Locators for parts of the fan client, by their accessible names. */
export const messageField = (page: Page): Locator =>
  page.getByRole('textbox', { name: /^Message / });

export const shown = (page: Page, text: string): Locator =>
  page.getByRole('log').getByRole('article').filter({ hasText: text });

/** Types a message and clicks 'Send'. */
export async function write(page: Page, text: string): Promise<void> {
  await messageField(page).fill(text);
  await page.getByRole('button', { name: 'Send' }).click();
}
