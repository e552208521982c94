import type { ConversationPage } from '@stagedoor/contract/inbox/conversations';
import type { Message } from '@stagedoor/contract/messaging/messages';

/** Sends a GET request as a member of staff and returns the parsed reply. */
export type Get = (path: string) => Promise<unknown>;

/** A call that staff make; its paths are used in turn. */
export interface Call {
  readonly name: string;
  readonly paths: readonly string[];
  /** The body of a POST request; without one, it is a GET request. */
  readonly body?: unknown;
}

const API = '/api/messages/admin';
const ANALYTICS = '/api/admin/analytics';
const AUDIT = '/api/admin/audit';
const DAY_MS = 86_400_000;
const FILTERS = ['all', 'unread', 'needs_reply', 'mine', 'archived'];
const SORTS = ['unread_first', 'newest', 'longest_waiting'];

/** Search texts, grouped by the kind and number of their matches. Those that match come from the generator's vocabulary. */
const SEARCHES: Readonly<Record<string, readonly string[]>> = {
  'name, common': ['maria', 'silva', 'lucas'],
  'first and last name': ['caleb girard', 'zoe dubois'],
  'user name': ['maria_sil1', 'anna_cos2'],
  email: ['@example.com', '_sil1001@example'],
  'name, 2 letters': ['ma', 'an', 'li'],
  'name, miss': ['xqzvkw'],
  'text, common': ['love', 'ticket', 'music'],
  'text, less common': ['vinyl', 'drums', 'lyrics'],
  'text, uncommon': ['orange', 'candle', 'silver'],
  'text, two words': ['love song', 'happy birthday'],
  'text, rare': ['zanzibar'],
  'text, miss': ['unobtainable'],
  'text, 2 letters': ['th', 'of'],
  'miss, 2 letters': ['qz', 'xq'],
  'no letters': ['!!!', '???'],
};

/** Returns the read calls of staff whose query plans are checked, with ids and cursors from the database. */
export async function staffReads(get: Get, rareWord: string): Promise<Call[]> {
  const calls: Call[] = [];
  const add = (name: string, ...paths: string[]) => {
    calls.push({ name, paths });
  };
  for (const filter of FILTERS) {
    for (const sort of SORTS) {
      const first = `${API}/inbox?filter=${filter}&sort=${sort}`;
      add(`inbox: ${filter} by ${sort}`, first);
      const { next_cursor, total } = (await get(first)) as ConversationPage;
      if (next_cursor === null) continue;
      add(`inbox: ${filter} by ${sort}, next page`, `${first}&cursor=${next_cursor}`);
      for (const [where, offset] of Object.entries({ middle: total / 2, last: total - 15 })) {
        const cursor = await cursorAt(get, first, Math.min(999_999, Math.floor(offset)));
        add(`inbox: ${filter} by ${sort}, ${where} page`, `${first}&cursor=${cursor}`);
      }
    }
    add(`inbox: ${filter} of a common tag`, `${API}/inbox?filter=${filter}&tag=VIP`);
    add(`inbox: ${filter} of a rare tag`, `${API}/inbox?filter=${filter}&tag=wedding`);
  }
  add('inbox: all of a tag nobody carries', `${API}/inbox?filter=all&tag=nothing`);
  add('inbox: 200 at once', `${API}/inbox?filter=all&limit=200`);
  add('pins', `${API}/pins`);
  add('my conversations', `${API}/my-conversations`);
  add('promises', `${API}/promises`);
  add('mentions', `${API}/mentions`);
  add('teammates', `${API}/colleagues`);
  add('shift', `${API}/shift`);
  add('handovers', `${API}/handovers`);
  add('stats', `${API}/stats?tz=Europe/Lisbon`, `${API}/stats?tz=Pacific/Auckland`);
  for (const [name, texts] of Object.entries(SEARCHES)) {
    const asked = texts.map((text) => (text === 'zanzibar' ? rareWord : text));
    add(`search: ${name}`, ...asked.map((text) => `${API}/search?q=${encodeURIComponent(text)}`));
  }
  await addMessageSearches(get, add, rareWord);
  await addConversation(get, add);
  await addManagement(get, add);
  return calls;
}

type Add = (name: string, ...paths: string[]) => void;

async function cursorAt(get: Get, list: string, offset: number): Promise<string> {
  const page = (await get(`${list}&limit=1&offset=${Math.max(0, offset)}`)) as ConversationPage;
  if (page.next_cursor === null) throw new Error(`${list} is too short`);
  return page.next_cursor;
}

/** Adds message searches: by number of matches, with filters, and on later pages. */
async function addMessageSearches(get: Get, add: Add, rareWord: string): Promise<void> {
  const search = (text: string) => `${API}/search/messages?q=${encodeURIComponent(text)}`;
  for (const kind of ['text, common', 'text, less common', 'text, uncommon', 'text, two words']) {
    add(`message search: ${kind}`, ...(SEARCHES[kind] ?? []).map(search));
  }
  add('message search: text, rare', search(rareWord));
  add('message search: miss', search('unobtainable'));
  add('message search: no letters', search('!!!'));
  const notes = ['text, common', 'text, uncommon', 'text, two words'].flatMap(
    (kind) => SEARCHES[kind] ?? [],
  );
  for (const [name, kind] of Object.entries({ 'with notes': 'any', 'notes only': 'note' })) {
    const texts = [...notes, rareWord, 'unobtainable'];
    add(`message search: ${name}`, ...texts.map((text) => `${search(text)}&kind=${kind}`));
    add(`message search: ${name}, no letters`, `${search('!!!')}&kind=${kind}`);
    add(`message search: ${name}, of a tag`, `${search('love')}&kind=${kind}&tag=VIP`);
  }
  const { next_cursor } = (await get(search('love'))) as { next_cursor: string | null };
  if (next_cursor !== null) {
    add('message search: next page', `${search('love')}&cursor=${next_cursor}`);
  }
  const weekAgo = new Date(Date.now() - 7 * DAY_MS).toISOString();
  const narrowed = {
    'of the creator': 'from=creator',
    'with attachments': 'has_attachment=true',
    'of a week': `after=${weekAgo}`,
    'before a week': `before=${weekAgo}`,
    'of a tag': 'tag=VIP',
  };
  for (const [name, filter] of Object.entries(narrowed)) {
    add(`message search: ${name}`, `${search('love')}&${filter}`, `${search('music')}&${filter}`);
  }
  const inbox = (await get(`${API}/inbox?filter=all&sort=newest`)) as ConversationPage;
  const fans = inbox.data.map(({ fan_id }) => `${search('love')}&fan=${fan_id}`);
  add('message search: of one fan', ...fans);
}

async function addConversation(get: Get, add: Add): Promise<void> {
  const conversations: ConversationPage['data'][number][] = [];
  const first = (await get(`${API}/inbox?filter=all&sort=newest`)) as ConversationPage;
  for (const share of [0, 0.1, 0.3, 0.6, 0.9]) {
    const offset = Math.floor(Math.min(900_000, share * first.total));
    const path = `${API}/inbox?filter=all&sort=newest&limit=200&offset=${offset}`;
    conversations.push(...((await get(path)) as ConversationPage).data);
  }
  const some = conversations.filter((_, index) => index % 25 === 0);
  const each = (what: (id: string) => string) => some.map(({ id }) => what(id));
  add('conversation', ...each((id) => `${API}/conversation/${id}`));
  const pageOf = (id: string) => `${API}/conversation/${id}/messages?limit=50`;
  add('messages: newest page', ...each(pageOf));
  const long = conversations.filter(({ last_seq }) => last_seq >= 60).slice(0, 20);
  add('messages: 50 of a long one', ...long.map(({ id }) => pageOf(id)));
  const older: string[] = [];
  for (const { id } of long) {
    const { data } = (await get(pageOf(id))) as { data: Message[] };
    older.push(`${pageOf(id)}&before=${data[0]?.id}`);
  }
  add('messages: older page', ...older);
  add('statements', ...each((id) => `${API}/conversation/${id}/statements`));
  add('around a message', ...older.map((path) => path.replace('before=', 'around=')));
  add('after a message', ...older.map((path) => path.replace('before=', 'after=')));
  add('notes', ...each((id) => `${API}/conversation/${id}/notes`));
  add('staff notes', ...each((id) => `${API}/conversation/${id}/staff-notes`));
  add('tags', ...each((id) => `${API}/conversation/${id}/tags`));
  add('offers', ...each((id) => `${API}/conversation/${id}/offers`));
  add('fan facts', ...each((id) => `${API}/conversation/${id}/fan-facts`));
  add('tips', ...each((id) => `${API}/conversation/${id}/tips`));
  add('fan facts: of a long one', ...long.map(({ id }) => `${API}/conversation/${id}/fan-facts`));
  for (const kind of ['bought', 'open']) {
    add(
      `fan offers: ${kind}`,
      ...each((id) => `${API}/conversation/${id}/fan-offers?kind=${kind}`),
    );
  }
  add(
    'admin fields',
    ...some.map(({ fan_id }) => `/api/customer/admin-fields/${encodeURIComponent(fan_id)}`),
  );
}

async function addManagement(get: Get, add: Add): Promise<void> {
  add('tags of the library', `${API}/global-tags`);
  add('products', '/api/products');
  add('folders', '/api/folders');
  add('segments', '/api/segments');
  add('campaigns', '/api/campaigns');
  add('earnings', '/api/earnings');
  add('earning contests', '/api/earnings/contests');
  add('earning periods', '/api/earnings/periods');
  add('creator', '/api/creator');
  add('me', '/api/auth/admin/me');
  add('sessions', '/api/auth/admin/sessions');
  add('admins', '/api/auth/admin-management/admins');
  add('fruits', '/api/auth/admin-management/fruits');
  add('invites', '/api/subscriptions/admin/invites');
  add('invites: opened', '/api/subscriptions/admin/invites?state=opened');
  add('invites: expired', '/api/subscriptions/admin/invites?state=expired');
  for (const days of [1, 7, 30, 90, null]) {
    const since = days === null ? '' : new Date(Date.now() - days * DAY_MS).toISOString();
    const range = `tz=Europe/Lisbon${since && `&start_date=${since}`}`;
    const title = days === null ? 'all time' : `${days} days`;
    add(`analytics: ${title}`, `${ANALYTICS}/overview?${range}`);
    add(`sales: ${title}`, `${ANALYTICS}/sales?${range}`);
    for (const report of ['admins', 'products', 'days']) {
      add(`export of ${report}: ${title}`, `${ANALYTICS}/export?${range}&report=${report}`);
    }
  }
  const sales = (await get(`${ANALYTICS}/sales`)) as {
    data: { admin_id: string; product_id: string }[];
    next_cursor: string | null;
  };
  const [sale] = sales.data;
  if (sale === undefined) throw new Error('nothing was sold');
  const { admin_id: admin, product_id: product } = sale;
  if (sales.next_cursor !== null)
    add('sales: next page', `${ANALYTICS}/sales?cursor=${sales.next_cursor}`);
  add('sales: of an admin', `${ANALYTICS}/sales?admin_id=${admin}`);
  add('sales: of a product', `${ANALYTICS}/sales?product_id=${product}`);
  add('sales: of both', `${ANALYTICS}/sales?admin_id=${admin}&product_id=${product}`);
  const log = (await get(AUDIT)) as { data: { target_id: string }[]; next_cursor: string | null };
  add('audit', AUDIT);
  if (log.next_cursor !== null) add('audit: next page', `${AUDIT}?cursor=${log.next_cursor}`);
  add('audit: of an admin', `${AUDIT}?admin_id=${admin}`);
  add('audit: of an action', `${AUDIT}?action=product.update`);
  add('audit: of a thing', `${AUDIT}?action=conversation`);
  add('audit: of a target', `${AUDIT}?target_id=${log.data[0]?.target_id}`);
  add('audit: before a time', `${AUDIT}?to=${new Date(Date.now() - 90 * DAY_MS).toISOString()}`);
  add('audit: action that never was', `${AUDIT}?action=nothing.ever`);
}
