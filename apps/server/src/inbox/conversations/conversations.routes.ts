import {
  assignConversation,
  type ConversationPage,
  claimConversation,
  getConversation,
  type InboxFilter,
  type InboxSort,
  inbox,
  inboxStats as inboxStatsEndpoint,
  myConversations,
  releaseConversation,
  SEARCH_MIN_CHARS,
  searchConversations,
  setStatus,
} from '@stagedoor/contract/inbox/conversations';
import type { Database } from '../../db/database.ts';
import { limitedSearch } from '../../db/searches.ts';
import { type Router, reply } from '../../http/route.ts';
import type { ConversationsService } from './conversations.service.ts';
import { findPage, inboxStats, presentConversation } from './conversations.store.ts';
import { decodeCursor, encodeCursor } from './inbox-page.ts';
import { searchInbox } from './search.store.ts';

interface ConversationRoutes {
  readonly db: Database;
  readonly conversations: ConversationsService;
}

export function bindConversationRoutes(
  router: Router,
  { db, conversations }: ConversationRoutes,
): void {
  const search = limitedSearch(db);

  router.bind(inbox, async ({ query, actor }) => reply(200, await page(db, actor.admin.id, query)));

  router.bind(myConversations, async ({ query, actor }) =>
    reply(200, await page(db, actor.admin.id, { ...query, filter: 'mine' })),
  );

  router.bind(inboxStatsEndpoint, async ({ query, actor }) =>
    reply(200, { data: await inboxStats(db, actor.admin.id, query.tz) }),
  );

  router.bind(searchConversations, async ({ query }) =>
    reply(200, {
      data: [...query.q].length < SEARCH_MIN_CHARS ? [] : await searchInbox(search, query.q),
    }),
  );

  router.bind(getConversation, async ({ params }) =>
    reply(200, { data: await conversations.get(params.id) }),
  );

  router.bind(setStatus, async ({ actor, params, body }) =>
    reply(200, { data: await conversations.setStatus(actor, params.id, body.status) }),
  );

  router.bind(claimConversation, async ({ actor, params, body }) =>
    reply(200, { data: await conversations.claim(actor, params.id, body?.take_over_from) }),
  );

  router.bind(assignConversation, async ({ actor, params, body }) =>
    reply(200, { data: await conversations.assign(actor, params.id, body.admin_id) }),
  );

  router.bind(releaseConversation, async ({ actor, params }) =>
    reply(200, { data: await conversations.release(actor, params.id) }),
  );
}

interface PageQuery {
  readonly filter: InboxFilter;
  readonly sort: InboxSort;
  readonly limit: number;
  readonly offset: number;
  readonly cursor?: string | undefined;
  readonly tag?: string | undefined;
}

async function page(db: Database, adminId: string, query: PageQuery): Promise<ConversationPage> {
  const cursor = query.cursor === undefined ? null : decodeCursor(query.cursor);
  const tag = query.tag?.trim() || null;
  const { rows, total } = await findPage(db, {
    ...query,
    adminId,
    cursor,
    tag,
    limit: query.limit + 1,
  });
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1);
  return {
    data: shown.map(presentConversation),
    next_cursor: rows.length > query.limit && last !== undefined ? encodeCursor(last) : null,
    total,
  };
}
