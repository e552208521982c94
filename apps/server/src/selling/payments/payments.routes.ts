import { payWithTestCard, startCheckout } from '@stagedoor/contract/platform/fan-app';
import { type CallLimit, type Router, reply } from '../../http/route.ts';
import type { PaymentsService } from './payments.service.ts';

/** What one fan may do within a minute: more than anyone buys, and nothing to trouble a payment provider with. */
const A_MINUTE: CallLimit = { max: 30, timeWindow: 60_000 };

/** How a fan pays out of the fan client. */
export function bindPaymentRoutes(router: Router, { paying }: { paying: PaymentsService }): void {
  router.bind(
    startCheckout,
    async ({ actor, body }) => reply(200, { data: await paying.startCheckout(actor, body) }),
    { perFan: A_MINUTE },
  );

  router.bind(
    payWithTestCard,
    async ({ actor, body }) => {
      const { message, created } = await paying.payWithTestCard(actor, body);
      return reply(created ? 201 : 200, { data: message });
    },
    { perFan: A_MINUTE },
  );
}
