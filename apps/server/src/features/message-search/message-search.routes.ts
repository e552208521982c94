import { searchMessages } from '@stagedoor/contract/message-search';
import type { Database } from '../../db/database.ts';
import { type Router, reply } from '../../http/route.ts';
import { inTurns } from '../../jobs/in-turns.ts';
import { searchPage } from './message-search.store.ts';

/** Searches that one process has the database do at once: a few that take long leave it to sends and reads. */
const AT_ONCE = 4;

export function bindMessageSearchRoutes(router: Router, { db }: { db: Database }): void {
  const turns = inTurns(AT_ONCE);
  router.bind(searchMessages, async ({ query }) =>
    reply(200, await turns(() => searchPage(db, query))),
  );
}
