import * as api from '@stagedoor/contract/platform/fan-app';
import { type CallLimit, type Router, reply } from '../../http/route.ts';
import type { PaymentsService } from './payments.service.ts';

/** A fan's requests per minute: more than any fan needs, and few enough for a payment provider. */
const A_MINUTE: CallLimit = { max: 30, timeWindow: 60_000 };

/** Binds payments from the fan client. */
export function bindPaymentRoutes(router: Router, paying: PaymentsService): void {
  router
    .limited({ perFan: A_MINUTE })
    .bind(api.startCheckout, async ({ actor, body }) =>
      reply(200, { data: await paying.startCheckout(actor, body) }),
    );

  router.limited({ perFan: A_MINUTE }).bind(api.payWithTestCard, async ({ actor, body }) => {
    const { message, created } = await paying.payWithTestCard(actor, body);
    return reply(created ? 201 : 200, { data: message });
  });

  router
    .limited({ perFan: A_MINUTE })
    .bind(api.startTipCheckout, async ({ actor, body }) =>
      reply(200, { data: await paying.startTip(actor, body) }),
    );

  router.limited({ perFan: A_MINUTE }).bind(api.tipWithTestCard, async ({ actor, body }) => {
    const { tip, created } = await paying.tipWithTestCard(actor, body);
    return reply(created ? 201 : 200, { data: tip });
  });
}
