import * as api from '@stagedoor/contract/selling/earnings';
import { type Router, reply } from '../../http/route.ts';
import type { ContestsService } from './contests.service.ts';
import type { EarningsService } from './earnings.service.ts';

export function bindEarningRoutes(
  router: Router,
  earnings: EarningsService,
  contests: ContestsService,
): void {
  router.bind(api.listEarnings, async ({ actor, query }) =>
    reply(200, await earnings.list(actor, query)),
  );

  router.bind(api.contestEarning, async ({ actor, params, body }) =>
    reply(201, { data: await contests.add(actor, params.line, body.reason) }),
  );

  router.bind(api.listContests, async ({ actor, query }) =>
    reply(200, await contests.list(actor, query)),
  );

  router.bind(api.acceptContest, async ({ actor, params, body }) =>
    reply(200, { data: await contests.accept(actor, params.id, body) }),
  );

  router.bind(api.rejectContest, async ({ actor, params, body }) =>
    reply(200, { data: await contests.reject(actor, params.id, body.reason) }),
  );

  router.bind(api.listCommissionRules, async () => reply(200, { data: await earnings.rules() }));

  router.bind(api.addCommissionRule, async ({ actor, body }) =>
    reply(201, { data: await earnings.addRule(actor, body) }),
  );

  router.bind(api.tryCommissionRule, async ({ body }) =>
    reply(200, { data: await earnings.tryRule(body) }),
  );

  router.bind(api.listPeriods, async ({ actor, query }) =>
    reply(200, await earnings.periods(actor, query)),
  );

  router.bind(api.closePeriod, async ({ actor, params }) =>
    reply(200, { data: await earnings.close(actor, params.id) }),
  );

  router.bind(api.exportPayslip, async ({ actor, params, query }) =>
    reply(200, await earnings.payslip(actor, params.id, query.admin_id)),
  );

  router.bind(api.listClosedPeriods, async ({ query }) =>
    reply(200, await earnings.closedPeriods(query)),
  );
}
