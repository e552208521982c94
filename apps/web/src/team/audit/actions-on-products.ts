import { formatPrice } from '@stagedoor/browser/money';
import { t, translated } from '../../lib/text/i18n.ts';
import { type ActionTexts, type EntryFields, list, textOf } from './action-texts.ts';
import { ifNamed, phrase, textsOf, when } from './phrase.ts';

const FIELDS: Readonly<Record<string, string>> = {
  title: t('title'),
  name: t('name'),
  description: t('description'),
  price_cents: t('price'),
  folder_id: t('folder'),
  is_active: t('status', 'product'),
  media: t('files'),
};

const hasChanges = ({ details }: EntryFields) => Object.keys(details).length > 0;

function changedFields({ details }: EntryFields) {
  const fields = Object.keys(details).map((field) => FIELDS[field] ?? field.replaceAll('_', ' '));
  return { fields: list.format(fields) };
}

const hasPrice = ({ details }: EntryFields) => typeof details.price_cents === 'number';
const priceOf = ({ details }: EntryFields) => ({
  price: formatPrice(Number(details.price_cents) / 100),
});

const REASONS: Readonly<Record<string, string>> = {
  already_owned: t('the fan already owned it'),
  already_purchased: t('the fan already owned it'),
  amount_mismatch: t('the amount was wrong'),
  fan_not_found: t('the fan was erased'),
  message_not_found: t('the offer no longer exists'),
  attachment_not_found: t('the offer no longer exists'),
};

const refundReason = ({ details: { reason } }: EntryFields) => ({
  reason: REASONS[textOf(reason)] ?? textOf(reason),
});

/** The sentences for actions on products, folders, segments, campaigns, templates and payments. */
export const ACTIONS_ON_PRODUCTS: ActionTexts = {
  'product.create': [
    t('Product created'),
    when(
      hasPrice,
      ifNamed(
        phrase('{actor} created the product “{name}” for {price}', priceOf),
        phrase('{actor} created the product for {price}', priceOf),
      ),
      ifNamed(
        phrase('{actor} created the product “{name}”'),
        phrase('{actor} created the product'),
      ),
    ),
  ],
  'product.update': [
    t('Product changed'),
    when(
      hasChanges,
      ifNamed(
        phrase('{actor} changed the product “{name}”: {fields}', changedFields),
        phrase('{actor} changed the product: {fields}', changedFields),
      ),
      ifNamed(
        phrase('{actor} changed the product “{name}”'),
        phrase('{actor} changed the product'),
      ),
    ),
  ],
  'product.delete': [
    t('Product deleted'),
    ifNamed(phrase('{actor} deleted the product “{name}”'), phrase('{actor} deleted the product')),
  ],
  'payment.give_back': [
    t('Stripe refund requested'),
    ifNamed(
      phrase('{actor} asked Stripe to refund a payment for “{name}”: {reason}', refundReason),
      phrase('{actor} asked Stripe to refund a payment: {reason}', refundReason),
    ),
  ],
  'payment.refund': [
    t('Refund recorded'),
    ifNamed(
      phrase('{actor} recorded the refund of a payment for “{name}”'),
      phrase('{actor} recorded the refund of a payment'),
    ),
  ],
  'folder.create': [
    t('Folder created'),
    ifNamed(phrase('{actor} created the folder “{name}”'), phrase('{actor} created the folder')),
  ],
  'folder.update': [
    t('Folder changed'),
    when(
      hasChanges,
      ifNamed(
        phrase('{actor} changed the folder “{name}”: {fields}', changedFields),
        phrase('{actor} changed the folder: {fields}', changedFields),
      ),
      ifNamed(phrase('{actor} changed the folder “{name}”'), phrase('{actor} changed the folder')),
    ),
  ],
  'folder.delete': [
    t('Folder deleted'),
    ifNamed(phrase('{actor} deleted the folder “{name}”'), phrase('{actor} deleted the folder')),
  ],
  'segment.create': [t('Segment created'), phrase('{actor} created the segment “{name}”')],
  'segment.update': [t('Segment changed'), phrase('{actor} changed the segment “{name}”')],
  'segment.delete': [t('Segment deleted'), phrase('{actor} deleted the segment “{name}”')],
  'campaign.create': [
    t('Mass message created'),
    phrase('{actor} created the mass message “{name}”'),
  ],
  'campaign.update': [
    t('Mass message changed'),
    phrase('{actor} changed the mass message “{name}”'),
  ],
  'campaign.start': [
    t('Mass message started'),
    phrase('{actor} started the mass message “{name}”'),
  ],
  'campaign.begin': [
    t('Mass message sending began'),
    phrase('{actor} began sending the mass message “{name}”'),
  ],
  'campaign.finish': [
    t('Mass message finished'),
    phrase('{actor} finished sending the mass message “{name}”'),
  ],
  'campaign.expire': [
    t('Mass message expired'),
    phrase('{actor} ended the expired mass message “{name}”'),
  ],
  'campaign.pause': [
    t('Mass message paused'),
    when(
      ({ details }) => textOf(details.reason) === '',
      phrase('{actor} paused the mass message “{name}”'),
      phrase('{actor} paused the mass message “{name}”: {reason}', ({ details }) => ({
        reason: translated(textOf(details.reason)),
      })),
    ),
  ],
  'campaign.resume': [
    t('Mass message resumed'),
    phrase('{actor} resumed the mass message “{name}”'),
  ],
  'campaign.cancel': [
    t('Mass message canceled'),
    phrase('{actor} canceled the mass message “{name}”'),
  ],
  'campaign.unsend': [
    t('Mass message was unsent'),
    phrase('{actor} unsent the mass message “{name}”'),
  ],
  'earning_rule.create': [t('Commission rule added'), phrase('{actor} added a commission rule')],
  'earning_contest.create': [t('Earning contested'), phrase('{actor} contested an earning')],
  'earning_contest.accept': [
    t('Contest accepted'),
    phrase('{actor} accepted a contest of an earning'),
  ],
  'earning_contest.reject': [
    t('Contest rejected'),
    phrase('{actor} rejected a contest of an earning: {reason}', textsOf('reason')),
  ],
  'earning_period.close': [
    t('Pay period closed'),
    phrase('{actor} closed the pay period {period}', textsOf('period')),
  ],
  'template.create': [
    t('Template created'),
    ifNamed(
      phrase('{actor} created the template “{name}”'),
      phrase('{actor} created the template'),
    ),
  ],
  'template.update': [
    t('Template changed'),
    ifNamed(
      phrase('{actor} changed the template “{name}”'),
      phrase('{actor} changed the template'),
    ),
  ],
  'template.delete': [
    t('Template deleted'),
    ifNamed(
      phrase('{actor} deleted the template “{name}”'),
      phrase('{actor} deleted the template'),
    ),
  ],
};
