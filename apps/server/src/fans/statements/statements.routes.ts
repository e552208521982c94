import * as api from '@stagedoor/contract/fans/statements';
import type { Core } from '../../domain.ts';
import { type Router, reply } from '../../http/route.ts';
import { findOpenPromises } from './promises.store.ts';
import type { StatementsService } from './statements.service.ts';
import { findStatements } from './statements.store.ts';

/** Binds statements and promises, which every signed-in admin may record. */
export function bindStatementRoutes(
  router: Router,
  { db, requireConversation }: Core,
  statements: StatementsService,
): void {
  router.bind(api.listStatements, async ({ params }) => {
    await requireConversation(params.id);
    return reply(200, { data: await findStatements(db, params.id) });
  });

  router.bind(api.createStatement, async ({ actor, params, body }) => {
    const { statement, created } = await statements.create(actor, params.id, body);
    return created ? reply(201, { data: statement }) : reply(200, { data: statement });
  });

  router.bind(api.updateStatement, async ({ actor, params, body }) => {
    const { statement } = await statements.update(actor, params.id, body);
    return reply(200, { data: statement });
  });

  router.bind(api.deleteStatement, async ({ actor, params }) => {
    await statements.remove(actor, params.id);
    return reply(200, { data: { deleted: true } });
  });

  router.bind(api.listPromises, async ({ actor }) =>
    reply(200, { data: await findOpenPromises(db, actor.admin.id) }),
  );
}
