import type { EndpointParsed } from '@stagedoor/contract/endpoint';
import * as api from '@stagedoor/contract/inbox/conversations';
import type { Database } from '../../db/database.ts';
import { limitedSearch, type Search } from '../../db/searches.ts';
import type { Base } from '../../domain.ts';
import { pageOf } from '../../http/cursor.ts';
import { type Router, reply } from '../../http/route.ts';
import type { ConversationsService } from './conversations.service.ts';
import { findPage, inboxStats, presentConversation } from './conversations.store.ts';
import { type ConversationFilter, decodeCursor, encodeCursor } from './inbox-page.ts';
import { searchInbox } from './search.store.ts';

interface ConversationRoutes extends Base {
  readonly conversations: ConversationsService;
  readonly segmentFilter: SegmentFilter;
  readonly segmentSearch: Search;
}

/** Finds the inbox filter for a segment. @throws AppError 404 `segment_not_found` */
export type SegmentFilter = (db: Database, id: string) => Promise<ConversationFilter>;

export function bindConversationRoutes(
  router: Router,
  { db, conversations, segmentFilter, segmentSearch }: ConversationRoutes,
): void {
  const search = limitedSearch(db);

  async function page(adminId: string, query: ListQuery): Promise<api.ConversationPage> {
    const { rows, total } = await findPage(
      db,
      {
        ...query,
        adminId,
        cursor: query.cursor === undefined ? null : decodeCursor(query.cursor),
        tag: query.tag?.trim() || null,
        segment: query.segment === undefined ? null : await segmentFilter(db, query.segment),
        limit: query.limit + 1,
      },
      segmentSearch,
    );
    const shown = pageOf(rows, query.limit, encodeCursor);
    return {
      data: shown.page.map(presentConversation),
      next_cursor: shown.next_cursor,
      total,
    };
  }

  router.bind(api.inbox, async ({ query, actor }) => reply(200, await page(actor.admin.id, query)));

  router.bind(api.myConversations, async ({ query, actor }) =>
    reply(200, await page(actor.admin.id, { ...query, filter: 'mine' })),
  );

  router.bind(api.inboxStats, async ({ query, actor }) =>
    reply(200, { data: await inboxStats(db, actor.admin.id, query.tz) }),
  );

  router.bind(api.searchConversations, async ({ query }) =>
    reply(200, {
      data: [...query.q].length < api.SEARCH_MIN_CHARS ? [] : await searchInbox(search, query.q),
    }),
  );

  router.bind(api.getConversation, async ({ params }) =>
    reply(200, { data: await conversations.get(params.id) }),
  );

  router.bind(api.setStatus, async ({ actor, params, body }) =>
    reply(200, { data: await conversations.setStatus(actor, params.id, body.status) }),
  );

  router.bind(api.claimConversation, async ({ actor, params, body }) =>
    reply(200, { data: await conversations.claim(actor, params.id, body?.take_over_from) }),
  );

  router.bind(api.assignConversation, async ({ actor, params, body }) =>
    reply(200, { data: await conversations.assign(actor, params.id, body.admin_id) }),
  );

  router.bind(api.releaseConversation, async ({ actor, params }) =>
    reply(200, { data: await conversations.release(actor, params.id) }),
  );
}

type ListQuery = EndpointParsed<typeof api.inbox>['query'];
