import { getFanFacts, listFanOffers } from '@stagedoor/contract/fan-facts';
import { type Database, isUuid } from '../../db/database.ts';
import { conversationNotFound } from '../../errors.ts';
import { type Router, reply } from '../../http/route.ts';
import { decodeCursor, encodeCursor } from '../../http/time-cursor.ts';
import { findFanFacts } from './fan-facts.store.ts';
import { findBought, findOpenOffers, hasConversation } from './fan-offers.store.ts';
import { needsTally, writeTally } from './message-tallies.store.ts';

/** What staff see of a fan at a glance. */
export function bindFanFactsRoutes(router: Router, { db }: { readonly db: Database }): void {
  router.bind(getFanFacts, async ({ params: { id } }) => {
    const found = isUuid(id) ? await findFanFacts(db, id) : null;
    if (found === null) throw conversationNotFound();
    if (needsTally(found.counted)) await writeTally(db, id);
    return reply(200, { data: found.facts });
  });

  router.bind(listFanOffers, async ({ params: { id }, query: { kind, cursor, limit } }) => {
    if (!isUuid(id)) throw conversationNotFound();
    const page = { after: cursor ? decodeCursor(cursor) : null, limit: limit + 1 };
    const found = await (kind === 'bought' ? findBought : findOpenOffers)(db, id, page);
    if (found.length === 0 && !(await hasConversation(db, id))) throw conversationNotFound();
    const data = found.slice(0, limit);
    const last = data.at(-1);
    const next_cursor = found.length > limit && last ? encodeCursor(last.place) : null;
    return reply(200, { data: data.map(({ offer }) => offer), next_cursor });
  });
}
