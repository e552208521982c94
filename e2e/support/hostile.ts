import type { Page } from '@playwright/test';
import { replaceTags, updateNotes } from '@stagedoor/contract/fans/fans';
import { createInvites } from '@stagedoor/contract/fans/invites';
import { createGlobalTag } from '@stagedoor/contract/fans/tags';
import { putFan, recordPurchase } from '@stagedoor/contract/platform/platform';
import { createPlatformKey } from '@stagedoor/contract/platform/platform-keys';
import { createFolder } from '@stagedoor/contract/selling/products';
import { addAdmin, updateAdminCodename } from '@stagedoor/contract/team/admins';
import {
  buildFan,
  buildFanMessage,
  buildReply,
  type Staff,
} from '../../apps/server/test/factories.ts';
import { SAMPLES, uploadAsStaff } from '../../apps/server/test/files.ts';
import { buildOffer, buildPicture, buildProduct } from '../../apps/server/test/worlds/catalogue.ts';
import { saleOf } from '../../apps/server/test/worlds/market.ts';
import type { Desk } from './journey.ts';

/** Texts that would run code, or at least create an element, if they were treated as markup, a URL or a template. */
export const CORPUS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "'><b onmouseover=alert(1)>x",
  '</title></textarea><a href=//x>',
  '<iframe srcdoc="<script>alert(1)">',
  'javascript:alert(1)',
  'https://x.example/"onfocus="alert(1)',
  'https://x.example/<script>alert(1)',
  'data:text/html,<script>alert(1)',
  '[x](javascript:alert(1))',
  '{{constructor.constructor("alert(1)")()}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a literal text
  '${alert(1)}`${alert(1)}',
  '<style>*{display:none}</style>',
  '<math><mtext></mtext><mglyph><svg><script>alert(1)',
] as const;

let taken = 0;
/** Returns the next text of the corpus, with a number to make it unique. */
const next = (): string => `${++taken} ${CORPUS[taken % CORPUS.length]}`;

/** Creates data in which every text that users can set comes from the corpus. */
export async function furnishWithHostileTexts(desk: Desk) {
  const manager = await desk.hire({ role: 'manager' });
  const { client } = manager;
  const fan = await buildFan(desk, {
    first_name: next(),
    last_name: next(),
    username: next(),
    avatar_url: 'https://x.example/"onerror="alert(1)',
  });
  const id = fan.conversation_id;
  await describeFan(manager, id);
  for (const content of CORPUS) await buildFanMessage(desk, fan, { content });
  await sendEverything(desk, manager, fan);
  await buildFanMessage(desk, fan, { content: next() });

  for (const name of [next(), next()]) await client.call(createFolder, { body: { name } });
  const added = await client.call(addAdmin, { body: { email: "o'b+x@staff.example" } });
  await client.call(updateAdminCodename, {
    params: { id: added.body.data.id },
    body: { codename: next().slice(0, 40) },
  });
  await client.call(createPlatformKey, { body: { name: next() } });
  await client.call(createInvites, { body: { emails: ["o'b+y@fans.example", next()] } });
  await desk.db.kysely
    .updateTable('sessions')
    .set({ user_agent: next() })
    .where('admin_id', '=', manager.admin.id)
    .execute();
  // A name that is exactly a text of the corpus, without a number.
  await desk.platform.call(putFan, { params: { fan: 'x' }, body: { first_name: CORPUS[1] } });
  return { manager, fan, id };
}

async function describeFan({ client }: Staff, id: string): Promise<void> {
  const notes = {
    dob: next(),
    location: next(),
    marital_status: next(),
    years_of_support: next(),
    notes: CORPUS.join('\n'),
  };
  await client.call(updateNotes, { params: { id }, body: notes });
  const library = await client.call(createGlobalTag, { body: { label: next() } });
  await client.call(createGlobalTag, { body: { label: next() } });
  const tags = [{ label: next() }, { globalTagId: library.body.data.id }, { label: next() }];
  await client.call(replaceTags, { params: { id }, body: { tags } });
}

/** Sends files and products with names from the corpus, and replies that quote texts from it. */
async function sendEverything(
  desk: Desk,
  staff: Staff,
  fan: Awaited<ReturnType<typeof buildFan>>,
): Promise<void> {
  const id = fan.conversation_id;
  const markup = new TextEncoder().encode('<script>alert(1)</script>');
  const files = await uploadAsStaff(
    staff,
    id,
    { data: await buildPicture(), filename: `${next()}.png` },
    { data: SAMPLES.mp4, filename: `${next()}.mp4` },
    { data: SAMPLES.mp3, filename: `${next()}.mp3` },
    { data: SAMPLES.pdf, filename: `${next()}.pdf` },
    { data: markup, filename: `${next()}.html`, type: 'text/html' },
    { data: markup, filename: 'drawing.txt', type: 'text/plain' },
  );
  const quoted = await buildFanMessage(desk, fan, { content: next() });
  await buildReply(staff, id, {
    content: next(),
    reply_to_message_id: quoted.id,
    attachments: files.map((file) => ({ id: file.id })),
  });
  const words = () => ({ title: next(), description: next() });
  const [sold, offered] = [await buildProduct(staff, words()), await buildProduct(staff, words())];
  const sale = await buildOffer(staff, id, [sold]);
  await desk.platform.call(recordPurchase, { body: saleOf(fan, sale, 9.99) });
  await buildOffer(staff, id, [offered]);
}

/** Collects forbidden effects of a page: dialogs, and violations of its security policy. Call it before the page is opened. */
export function violationsOf(page: Page): string[] {
  const violations: string[] = [];
  page.on('dialog', (dialog) => {
    violations.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (/content security policy|trusted(html|script|types)/i.test(message.text())) {
      violations.push(message.text());
    }
  });
  return violations;
}

/** Returns elements that can only have been created from a text of the corpus. */
export const foreignElements = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .filter(
        (element) =>
          element.getAttributeNames().some((name) => name.startsWith('on')) ||
          /^(iframe|object|embed|math|mglyph|style)$/i.test(element.tagName) ||
          (element.tagName === 'SCRIPT' && !element.getAttribute('src')) ||
          /^\s*(javascript|data:text)/i.test(element.getAttribute('href') ?? '') ||
          /^(x|\/\/x)$/.test(element.getAttribute('src') ?? element.getAttribute('href') ?? ''),
      )
      .map((element) => element.outerHTML.slice(0, 300)),
  );
