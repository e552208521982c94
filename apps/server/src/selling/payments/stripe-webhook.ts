import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors.ts';
import type { StripePayments } from './stripe-payments.ts';

const PATH = '/api/payments/stripe';
/** The limit per address and minute, high because Stripe sends from few addresses, and many events at once after an outage. */
const CALLS = { max: 1_200, timeWindow: 60_000 };

type Events = ReturnType<StripePayments['readEvent']>;

/** Serves `POST /api/payments/stripe`. The signature covers the body's exact bytes, so the body must not be parsed before. */
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
