import { formatPrice } from '@stagedoor/browser/money';
import { rich } from '@stagedoor/browser/rich-text';
import { t, translated } from '../../lib/text/i18n.ts';
import { type ActionTexts, type EntryFields, list, textOf } from './action-texts.ts';

const FIELDS: Readonly<Record<string, string>> = {
  title: t('title'),
  name: t('name'),
  description: t('description'),
  price_cents: t('price'),
  folder_id: t('folder'),
  is_active: t('status', 'product'),
  media: t('files'),
};

function changedFields({ details }: EntryFields): string {
  const fields = Object.keys(details).map((field) => FIELDS[field] ?? field.replaceAll('_', ' '));
  return list.format(fields);
}

function priceOf({ details: { price_cents: cents } }: EntryFields): string | null {
  return typeof cents === 'number' ? formatPrice(cents / 100) : null;
}

const REASONS: Readonly<Record<string, string>> = {
  already_owned: t('the fan already owned it'),
  already_purchased: t('the fan already owned it'),
  amount_mismatch: t('the amount was wrong'),
  fan_not_found: t('the fan was erased'),
  message_not_found: t('the offer no longer exists'),
  attachment_not_found: t('the offer no longer exists'),
};

/** The sentences for actions on products, folders, segments, campaigns, templates and payments. */
export const ACTIONS_ON_PRODUCTS: ActionTexts = {
  'product.create': {
    label: t('Product created'),
    sentence: (actor, values, entry) => {
      const { target_label: name } = entry;
      const price = priceOf(entry);
      if (price === null)
        return name === null
          ? rich('{actor} created the product', actor)
          : rich('{actor} created the product “{name}”', actor, values);
      return name === null
        ? rich('{actor} created the product for {price}', actor, { ...values, price })
        : rich('{actor} created the product “{name}” for {price}', actor, { ...values, price });
    },
  },
  'product.update': {
    label: t('Product changed'),
    sentence: (actor, values, entry) => {
      const { target_label: name } = entry;
      const fields = changedFields(entry);
      if (fields === '')
        return name === null
          ? rich('{actor} changed the product', actor)
          : rich('{actor} changed the product “{name}”', actor, values);
      return name === null
        ? rich('{actor} changed the product: {fields}', actor, { ...values, fields })
        : rich('{actor} changed the product “{name}”: {fields}', actor, { ...values, fields });
    },
  },
  'product.delete': {
    label: t('Product deleted'),
    sentence: (actor, values, { target_label: name }) =>
      name === null
        ? rich('{actor} deleted the product', actor)
        : rich('{actor} deleted the product “{name}”', actor, values),
  },
  'payment.give_back': {
    label: t('Stripe refund requested'),
    sentence: (actor, values, { target_label, details }) => {
      const reason = REASONS[textOf(details.reason)] ?? textOf(details.reason);
      return target_label === null
        ? rich('{actor} asked Stripe to refund a payment: {reason}', actor, { ...values, reason })
        : rich('{actor} asked Stripe to refund a payment for “{name}”: {reason}', actor, {
            ...values,
            reason,
          });
    },
  },
  'payment.refund': {
    label: t('Refund recorded'),
    sentence: (actor, values, { target_label }) =>
      target_label === null
        ? rich('{actor} recorded the refund of a payment', actor)
        : rich('{actor} recorded the refund of a payment for “{name}”', actor, values),
  },
  'folder.create': {
    label: t('Folder created'),
    sentence: (actor, values, { target_label: name }) =>
      name === null
        ? rich('{actor} created the folder', actor)
        : rich('{actor} created the folder “{name}”', actor, values),
  },
  'folder.update': {
    label: t('Folder changed'),
    sentence: (actor, values, entry) => {
      const { target_label: name } = entry;
      const fields = changedFields(entry);
      if (fields === '')
        return name === null
          ? rich('{actor} changed the folder', actor)
          : rich('{actor} changed the folder “{name}”', actor, values);
      return name === null
        ? rich('{actor} changed the folder: {fields}', actor, { ...values, fields })
        : rich('{actor} changed the folder “{name}”: {fields}', actor, { ...values, fields });
    },
  },
  'folder.delete': {
    label: t('Folder deleted'),
    sentence: (actor, values, { target_label: name }) =>
      name === null
        ? rich('{actor} deleted the folder', actor)
        : rich('{actor} deleted the folder “{name}”', actor, values),
  },
  'segment.create': {
    label: t('Segment created'),
    sentence: (actor, values) => rich('{actor} created the segment “{name}”', actor, values),
  },
  'segment.update': {
    label: t('Segment changed'),
    sentence: (actor, values) => rich('{actor} changed the segment “{name}”', actor, values),
  },
  'segment.delete': {
    label: t('Segment deleted'),
    sentence: (actor, values) => rich('{actor} deleted the segment “{name}”', actor, values),
  },
  'campaign.create': {
    label: t('Mass message created'),
    sentence: (actor, values) => rich('{actor} created the mass message “{name}”', actor, values),
  },
  'campaign.update': {
    label: t('Mass message changed'),
    sentence: (actor, values) => rich('{actor} changed the mass message “{name}”', actor, values),
  },
  'campaign.start': {
    label: t('Mass message started'),
    sentence: (actor, values) => rich('{actor} started the mass message “{name}”', actor, values),
  },
  'campaign.begin': {
    label: t('Mass message sending began'),
    sentence: (actor, values) =>
      rich('{actor} began sending the mass message “{name}”', actor, values),
  },
  'campaign.finish': {
    label: t('Mass message finished'),
    sentence: (actor, values) =>
      rich('{actor} finished sending the mass message “{name}”', actor, values),
  },
  'campaign.expire': {
    label: t('Mass message expired'),
    sentence: (actor, values) =>
      rich('{actor} ended the expired mass message “{name}”', actor, values),
  },
  'campaign.pause': {
    label: t('Mass message paused'),
    sentence: (actor, values, { details }) => {
      const reason = translated(textOf(details.reason));
      return reason === ''
        ? rich('{actor} paused the mass message “{name}”', actor, values)
        : rich('{actor} paused the mass message “{name}”: {reason}', actor, { ...values, reason });
    },
  },
  'campaign.resume': {
    label: t('Mass message resumed'),
    sentence: (actor, values) => rich('{actor} resumed the mass message “{name}”', actor, values),
  },
  'campaign.cancel': {
    label: t('Mass message canceled'),
    sentence: (actor, values) => rich('{actor} canceled the mass message “{name}”', actor, values),
  },
  'campaign.unsend': {
    label: t('Mass message was unsent'),
    sentence: (actor, values) => rich('{actor} unsent the mass message “{name}”', actor, values),
  },
  'earning_rule.create': {
    label: t('Commission rule added'),
    sentence: (actor) => rich('{actor} added a commission rule', actor),
  },
  'earning_contest.create': {
    label: t('Earning contested'),
    sentence: (actor) => rich('{actor} contested an earning', actor),
  },
  'earning_contest.accept': {
    label: t('Contest accepted'),
    sentence: (actor) => rich('{actor} accepted a contest of an earning', actor),
  },
  'earning_contest.reject': {
    label: t('Contest rejected'),
    sentence: (actor, values, { details }) =>
      rich('{actor} rejected a contest of an earning: {reason}', actor, {
        ...values,
        reason: textOf(details.reason),
      }),
  },
  'earning_period.close': {
    label: t('Pay period closed'),
    sentence: (actor, values, { details }) =>
      rich('{actor} closed the pay period {period}', actor, {
        ...values,
        period: textOf(details.period),
      }),
  },
  'template.create': {
    label: t('Template created'),
    sentence: (actor, values, { target_label: name }) =>
      name === null
        ? rich('{actor} created the template', actor)
        : rich('{actor} created the template “{name}”', actor, values),
  },
  'template.update': {
    label: t('Template changed'),
    sentence: (actor, values, { target_label: name }) =>
      name === null
        ? rich('{actor} changed the template', actor)
        : rich('{actor} changed the template “{name}”', actor, values),
  },
  'template.delete': {
    label: t('Template deleted'),
    sentence: (actor, values, { target_label: name }) =>
      name === null
        ? rich('{actor} deleted the template', actor)
        : rich('{actor} deleted the template “{name}”', actor, values),
  },
};
