import { payWithTestCard, startCheckout } from '@stagedoor/contract/fan-app';
import { type Router, reply } from '../../http/route.ts';
import type { PaymentsService } from './payments.service.ts';

/** How a fan pays out of the fan client. */
export function bindPaymentRoutes(router: Router, { paying }: { paying: PaymentsService }): void {
  router.bind(startCheckout, async ({ actor, body }) =>
    reply(200, { data: await paying.startCheckout(actor, body) }),
  );

  router.bind(payWithTestCard, async ({ actor, body }) => {
    const { message, created } = await paying.payWithTestCard(actor, body);
    return reply(created ? 201 : 200, { data: message });
  });
}
