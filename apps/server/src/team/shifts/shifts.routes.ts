import * as api from '@stagedoor/contract/team/shifts';
import { type Router, reply } from '../../http/route.ts';
import type { FiguresService } from './figures.service.ts';
import type { ShiftsService } from './shifts.service.ts';

export function bindShiftRoutes(
  router: Router,
  shifts: ShiftsService,
  figures: FiguresService,
): void {
  router.bind(api.listShifts, async ({ actor, query }) =>
    reply(200, await shifts.list(actor, new Date(query.from), new Date(query.to))),
  );
  router.bind(api.createShift, async ({ actor, body }) =>
    reply(201, await shifts.create(actor, body)),
  );
  router.bind(api.updateShift, async ({ actor, params, body }) =>
    reply(200, { data: await shifts.update(actor, params.id, body) }),
  );
  router.bind(api.deleteShift, async ({ actor, params, query }) =>
    reply(200, { data: { deleted: await shifts.remove(actor, params.id, query.scope) } }),
  );
  router.bind(api.clockIn, async ({ actor }) => reply(201, { data: await shifts.clockIn(actor) }));
  router.bind(api.clockOut, async ({ actor }) =>
    reply(200, { data: await shifts.clockOut(actor) }),
  );
  router.bind(api.shiftNow, async ({ actor }) => reply(200, { data: await shifts.now(actor) }));
  router.bind(api.askForTime, async ({ actor }) => reply(201, { data: await shifts.ask(actor) }));
  router.bind(api.grantTime, async ({ actor, params }) =>
    reply(200, { data: await shifts.grant(actor, params.id) }),
  );
  router.bind(api.shiftFigures, async ({ actor, query }) =>
    reply(200, await figures.figures(actor, query)),
  );
  router.bind(api.listFigureMessages, async ({ actor, query }) =>
    reply(200, await figures.messages(actor, query)),
  );
}
