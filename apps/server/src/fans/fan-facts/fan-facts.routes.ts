import * as api from '@stagedoor/contract/fans/fan-facts';
import { isUuid } from '../../db/database.ts';
import type { Core } from '../../domain.ts';
import { conversationNotFound } from '../../errors.ts';
import { pageOf, timeCursors } from '../../http/cursor.ts';
import { type Router, reply } from '../../http/route.ts';
import type { ChangeFan } from '../fans/change-fan.ts';
import { saveLanguages } from '../fans/fans.store.ts';
import { findFanFacts } from './fan-facts.store.ts';
import { findBought, findOpenOffers } from './fan-offers.store.ts';
import { needsTally, writeTally } from './message-tallies.store.ts';

const cursors = timeCursors(3);

/** Binds the staff endpoints for a fan's summary, languages and offers. */
export function bindFanFactsRoutes(
  router: Router,
  { db, requireConversation }: Core,
  changeFan: ChangeFan,
): void {
  /** @throws AppError 404 `conversation_not_found` */
  async function factsOf(id: string): Promise<api.FanFacts> {
    const found = isUuid(id) ? await findFanFacts(db, id) : null;
    if (found === null) throw conversationNotFound();
    if (needsTally(found.counted)) await writeTally(db, id);
    return found.facts;
  }

  router.bind(api.getFanFacts, async ({ params: { id } }) =>
    reply(200, { data: await factsOf(id) }),
  );

  router.bind(api.replaceFanLanguages, async ({ params: { id }, body }) => {
    await changeFan({ conversation: id }, async (tx, fan) => {
      await saveLanguages(tx, fan, body.languages);
      return { shows: 'facts', result: undefined };
    });
    return reply(200, { data: await factsOf(id) });
  });

  router.bind(api.listFanOffers, async ({ params: { id }, query: { kind, cursor, limit } }) => {
    if (!isUuid(id)) throw conversationNotFound();
    const asked = { after: cursor ? cursors.decode(cursor) : null, limit: limit + 1 };
    const found = await (kind === 'bought' ? findBought : findOpenOffers)(db, id, asked);
    if (found.length === 0) await requireConversation(id);
    const { page, next_cursor } = pageOf(found, limit, (last) => cursors.encode(last.cursor));
    return reply(200, { data: page.map(({ offer }) => offer), next_cursor });
  });
}
