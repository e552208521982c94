import { createHash } from 'node:crypto';
import type { FanVisibleMessage } from '@stagedoor/contract/messaging/messages';
import type { PaymentProvider } from '@stagedoor/contract/platform/fan-app';
import { toCents, toUsd } from '@stagedoor/contract/selling/cents';
import type { ThreadTip } from '@stagedoor/contract/selling/tips';
import { AppError } from '../../errors.ts';
import type { FanRef } from '../../fans/fans/fans.store.ts';
import type { FanActor } from '../../http/route.ts';
import type { PurchasesService } from '../purchases/purchases.service.ts';
import { inThread, type TipsService } from '../tips/tips.service.ts';
import type { Payments } from './payments.ts';

export interface PaymentsDependencies {
  readonly payments: Payments;
  readonly purchases: PurchasesService;
  readonly tips: TipsService;
  readonly messages: { getForFan(fan: FanRef, messageId: string): Promise<FanVisibleMessage> };
}

export type PaymentsService = ReturnType<typeof createPaymentsService>;

interface Started {
  readonly provider: PaymentProvider;
  readonly url: string | null;
  /** USD. */
  readonly amount: number;
}

interface OfferRef {
  readonly message_id: string;
  readonly attachment_id: string;
}

interface TipRef {
  readonly amount: number;
  readonly message?: string | undefined;
  readonly client_id: string;
}

/** Manages fans' payments for offers in messages, and their tips. A fan can pay only for offers made to them. */
export function createPaymentsService({
  payments,
  purchases,
  tips,
  messages,
}: PaymentsDependencies) {
  return {
    /**
     * Starts the purchase of an offer at its price.
     * @returns `url`: the payment page, or null if the client pays by other means; `amount` in USD
     * @throws AppError 404 for the message or the attachment; 409 `already_purchased`, `already_owned` or `payment_unavailable`
     */
    async startCheckout({ sessionId, fan }: FanActor, ref: OfferRef): Promise<Started> {
      const offer = await purchases.offerTo(fan.id, ref);
      if (offer.held) throw new AppError('already_purchased');
      if (offer.owned) throw new AppError('already_owned');
      const { attachment_id, returned: attempt, ...rest } = offer;
      const item = { message_id: ref.message_id, attachment_id };
      const url = await payments.pageFor({ sessionId, fan, item, offer, attempt, ...rest });
      return { provider: payments.provider, url, amount: toUsd(offer.price_cents) };
    },

    /** Starts the payment of a tip. @throws AppError 409 `payment_unavailable` */
    async startTip(
      { sessionId, fan }: FanActor,
      { amount, message = '', client_id: attempt }: TipRef,
    ): Promise<Started> {
      const item = { tip: 'true', ...(message !== '' && { message }) };
      const price_cents = toCents(amount);
      const tip = { item, attempt, title: 'Tip', price_cents, offer: null };
      const url = await payments.pageFor({ sessionId, fan, ...tip });
      return { provider: payments.provider, url, amount: toUsd(price_cents) };
    },

    /**
     * Pays a tip with a test card, if test cards are accepted. A retry with the same `client_id` is the same tip.
     * @throws AppError 402 `card_declined`; 409 `payment_unavailable` or `idempotency_conflict`
     */
    async tipWithTestCard(
      { fan }: FanActor,
      { client_id, card_number, ...tip }: TipRef & { card_number: string },
    ): Promise<{ tip: ThreadTip; created: boolean }> {
      if (payments.acceptsCard === null) throw new AppError('payment_unavailable');
      if (!payments.acceptsCard(card_number)) throw new AppError('card_declined');
      const payment_reference = testReference(fan.id, client_id);
      const given = { ...tip, fan: fan.external_id, payment_reference };
      const recorded = await tips.record(given, { notifyPlatform: true });
      return { tip: inThread(recorded.tip), created: recorded.created };
    },

    /**
     * Pays for an offer with a test card, if test cards are accepted. A retry with the same `client_id` is the same payment.
     * @returns the message as the fan sees it now
     * @throws AppError 404 for the message or the attachment; 402 `card_declined`; 409 `payment_unavailable`,
     * `already_purchased`, `already_owned` or `idempotency_conflict`
     */
    async payWithTestCard(
      { fan }: FanActor,
      { client_id, card_number, ...ref }: OfferRef & { client_id: string; card_number: string },
    ): Promise<{ message: FanVisibleMessage; created: boolean }> {
      if (payments.acceptsCard === null) throw new AppError('payment_unavailable');
      const { price_cents } = await purchases.offerTo(fan.id, ref);
      if (!payments.acceptsCard(card_number)) throw new AppError('card_declined');
      const { created } = await purchases.record(
        {
          ...ref,
          fan: fan.external_id,
          amount: toUsd(price_cents),
          payment_reference: testReference(fan.id, client_id),
        },
        { notifyPlatform: true },
      );
      return { message: await messages.getForFan(fan, ref.message_id), created };
    },
  };
}

/** Returns the payment reference for a client's id, unique per fan. */
function testReference(fanId: string, clientId: string): string {
  return `test:${createHash('sha256').update(`${fanId}\n${clientId}`).digest('hex')}`;
}
