import {
  type ConversationPage,
  getConversation,
  inbox,
  type InboxFilter,
  type InboxSort,
  inboxStats as inboxStatsEndpoint,
  myConversations,
  SEARCH_MIN_CHARS,
  searchConversations,
} from '@stagedoor/contract/conversations';
import { type Database, isUuid } from '../../db/database.ts';
import { conversationNotFound } from '../../errors.ts';
import { reply, type Router } from '../../http/route.ts';
import {
  countConversations,
  findConversation,
  findPage,
  inboxStats,
  presentConversation,
} from './conversations.store.ts';
import { decodeCursor, encodeCursor } from './inbox-page.ts';
import { search } from './search.store.ts';

export function bindConversationRoutes(router: Router, { db }: { db: Database }): void {
  router.bind(inbox, async ({ query, actor }) => 
    reply(200, await page(db, actor.admin.id, query)),
  );

  router.bind(myConversations, async ({ query, actor }) => 
    reply(200, await page(db, actor.admin.id, { ...query, filter: 'mine' })),
  );

  router.bind(inboxStatsEndpoint, async ({ query, actor }) => 
    reply(200, { data: await inboxStats(db, actor.admin.id, query.tz) }),
  );

  router.bind(searchConversations, async ({ query }) => 
    reply(200, { data: [...query.q].length < SEARCH_MIN_CHARS ? [] : await search(db, query.q) }),
  );

  router.bind(getConversation, async ({ params }) => {
    const conversation = isUuid(params.id) ? await findConversation(db, params.id) : null;
    if (conversation === null) throw conversationNotFound();
    return reply(200, { data: conversation });
  });
}

interface PageQuery {
  readonly filter: InboxFilter;
  readonly sort: InboxSort;
  readonly limit: number;
  readonly offset: number;
  readonly cursor?: string | undefined;
}

async function page(db: Database, adminId: string, query: PageQuery): Promise<ConversationPage> {
  const cursor = query.cursor === undefined ? null : decodeCursor(query.cursor);
  const [rows, total] = await Promise.all([
    findPage(db, { ...query, adminId, cursor, limit: query.limit + 1 }),
    countConversations(db, query.filter, adminId),
  ]);
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1);
  return {
    data: shown.map(presentConversation),
    next_cursor: rows.length > query.limit && last !== undefined ? encodeCursor(last) : null,
    total,
  };
}
