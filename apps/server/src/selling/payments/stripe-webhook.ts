import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors.ts';
import type { StripePayments } from './stripe-payments.ts';

const PATH = '/api/payments/stripe';
/** Calls per minute and IP address. High, because Stripe has few addresses and sends many events at once after an outage. */
const CALLS = { max: 1_200, timeWindow: 60_000 };

type Events = ReturnType<StripePayments['readEvent']>;

/** Serves `POST /api/payments/stripe`. The signature covers the exact bytes, so it is verified before parsing. */
export function serveStripeWebhook(
  http: FastifyInstance,
  stripe: Pick<StripePayments, 'readEvent'>,
  handle: (event: Events) => Promise<void>,
): void {
  void http.register(async (app) => {
    app.removeContentTypeParser('application/json');
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    app.post<{ Body: Buffer | undefined }>(
      PATH,
      { schema: { hide: true }, config: { rateLimit: CALLS } },
      async ({ body, headers }) => {
        const signature = headers['stripe-signature'];
        if (!Buffer.isBuffer(body) || Array.isArray(signature))
          throw new AppError('invalid_request');
        await handle(stripe.readEvent(body, signature));
        return { received: true };
      },
    );
  });
}
