import { searchMessages } from '@stagedoor/contract/inbox/message-search';
import type { Database } from '../../db/database.ts';
import { limitedSearch } from '../../db/searches.ts';
import { type Router, reply } from '../../http/route.ts';
import { searchPage } from './message-search.store.ts';

export function bindMessageSearchRoutes(router: Router, db: Database): void {
  const search = limitedSearch(db, { stale: true });
  router.bind(searchMessages, async ({ query }) => reply(200, await searchPage(search, query)));
}
