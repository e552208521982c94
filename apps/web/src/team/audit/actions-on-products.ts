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
    sentence: (actor, entry) => {
      const { target_label: name } = entry;
      const price = priceOf(entry);
      if (price === null)
        return name === null
          ? rich('{actor} created the product', { actor })
          : rich('{actor} created the product “{name}”', { actor }, { name });
      return name === null
        ? rich('{actor} created the product for {price}', { actor }, { price })
        : rich('{actor} created the product “{name}” for {price}', { actor }, { name, price });
    },
  },
  'product.update': {
    label: t('Product changed'),
    sentence: (actor, entry) => {
      const { target_label: name } = entry;
      const fields = changedFields(entry);
      if (fields === '')
        return name === null
          ? rich('{actor} changed the product', { actor })
          : rich('{actor} changed the product “{name}”', { actor }, { name });
      return name === null
        ? rich('{actor} changed the product: {fields}', { actor }, { fields })
        : rich('{actor} changed the product “{name}”: {fields}', { actor }, { name, fields });
    },
  },
  'product.delete': {
    label: t('Product deleted'),
    sentence: (actor, { target_label: name }) =>
      name === null
        ? rich('{actor} deleted the product', { actor })
        : rich('{actor} deleted the product “{name}”', { actor }, { name }),
  },
  'payment.give_back': {
    label: t('Stripe refund requested'),
    sentence: (actor, { target_label, details }) => {
      const reason = REASONS[textOf(details.reason)] ?? textOf(details.reason);
      return target_label === null
        ? rich('{actor} asked Stripe to refund a payment: {reason}', { actor }, { reason })
        : rich(
            '{actor} asked Stripe to refund a payment for “{name}”: {reason}',
            { actor },
            {
              name: target_label,
              reason,
            },
          );
    },
  },
  'payment.refund': {
    label: t('Refund recorded'),
    sentence: (actor, { target_label }) =>
      target_label === null
        ? rich('{actor} recorded the refund of a payment', { actor })
        : rich(
            '{actor} recorded the refund of a payment for “{name}”',
            { actor },
            { name: target_label },
          ),
  },
  'folder.create': {
    label: t('Folder created'),
    sentence: (actor, { target_label: name }) =>
      name === null
        ? rich('{actor} created the folder', { actor })
        : rich('{actor} created the folder “{name}”', { actor }, { name }),
  },
  'folder.update': {
    label: t('Folder changed'),
    sentence: (actor, entry) => {
      const { target_label: name } = entry;
      const fields = changedFields(entry);
      if (fields === '')
        return name === null
          ? rich('{actor} changed the folder', { actor })
          : rich('{actor} changed the folder “{name}”', { actor }, { name });
      return name === null
        ? rich('{actor} changed the folder: {fields}', { actor }, { fields })
        : rich('{actor} changed the folder “{name}”: {fields}', { actor }, { name, fields });
    },
  },
  'folder.delete': {
    label: t('Folder deleted'),
    sentence: (actor, { target_label: name }) =>
      name === null
        ? rich('{actor} deleted the folder', { actor })
        : rich('{actor} deleted the folder “{name}”', { actor }, { name }),
  },
  'segment.create': {
    label: t('Segment created'),
    sentence: (actor, { target_label: name }) =>
      rich('{actor} created the segment “{name}”', { actor }, { name: name ?? '' }),
  },
  'segment.update': {
    label: t('Segment changed'),
    sentence: (actor, { target_label: name }) =>
      rich('{actor} changed the segment “{name}”', { actor }, { name: name ?? '' }),
  },
  'segment.delete': {
    label: t('Segment deleted'),
    sentence: (actor, { target_label: name }) =>
      rich('{actor} deleted the segment “{name}”', { actor }, { name: name ?? '' }),
  },
  'campaign.create': {
    label: t('Mass message created'),
    sentence: (actor, { target_label: name }) =>
      rich('{actor} created the mass message “{name}”', { actor }, { name: name ?? '' }),
  },
  'campaign.update': {
    label: t('Mass message changed'),
    sentence: (actor, { target_label: name }) =>
      rich('{actor} changed the mass message “{name}”', { actor }, { name: name ?? '' }),
  },
  'campaign.start': {
    label: t('Mass message started'),
    sentence: (actor, { target_label: name }) =>
      rich('{actor} started the mass message “{name}”', { actor }, { name: name ?? '' }),
  },
  'campaign.begin': {
    label: t('Mass message sending began'),
    sentence: (actor, { target_label: name }) =>
      rich('{actor} began sending the mass message “{name}”', { actor }, { name: name ?? '' }),
  },
  'campaign.finish': {
    label: t('Mass message finished'),
    sentence: (actor, { target_label: name }) =>
      rich('{actor} finished sending the mass message “{name}”', { actor }, { name: name ?? '' }),
  },
  'campaign.expire': {
    label: t('Mass message expired'),
    sentence: (actor, { target_label: name }) =>
      rich('{actor} ended the expired mass message “{name}”', { actor }, { name: name ?? '' }),
  },
  'campaign.pause': {
    label: t('Mass message paused'),
    sentence: (actor, { target_label, details }) => {
      const name = target_label ?? '';
      const reason = translated(textOf(details.reason));
      return reason === ''
        ? rich('{actor} paused the mass message “{name}”', { actor }, { name })
        : rich('{actor} paused the mass message “{name}”: {reason}', { actor }, { name, reason });
    },
  },
  'campaign.resume': {
    label: t('Mass message resumed'),
    sentence: (actor, { target_label: name }) =>
      rich('{actor} resumed the mass message “{name}”', { actor }, { name: name ?? '' }),
  },
  'campaign.cancel': {
    label: t('Mass message canceled'),
    sentence: (actor, { target_label: name }) =>
      rich('{actor} canceled the mass message “{name}”', { actor }, { name: name ?? '' }),
  },
  'campaign.unsend': {
    label: t('Mass message was unsent'),
    sentence: (actor, { target_label: name }) =>
      rich('{actor} unsent the mass message “{name}”', { actor }, { name: name ?? '' }),
  },
  'earning_rule.create': {
    label: t('Commission rule added'),
    sentence: (actor) => rich('{actor} added a commission rule', { actor }),
  },
  'earning_contest.create': {
    label: t('Earning contested'),
    sentence: (actor) => rich('{actor} contested an earning', { actor }),
  },
  'earning_contest.accept': {
    label: t('Contest accepted'),
    sentence: (actor) => rich('{actor} accepted a contest of an earning', { actor }),
  },
  'earning_contest.reject': {
    label: t('Contest rejected'),
    sentence: (actor, { details }) =>
      rich(
        '{actor} rejected a contest of an earning: {reason}',
        { actor },
        { reason: textOf(details.reason) },
      ),
  },
  'earning_period.close': {
    label: t('Pay period closed'),
    sentence: (actor, { details }) =>
      rich(
        '{actor} closed the pay period that starts on {period}',
        { actor },
        { period: textOf(details.period) },
      ),
  },
  'template.create': {
    label: t('Template created'),
    sentence: (actor, { target_label: name }) =>
      name === null
        ? rich('{actor} created the template', { actor })
        : rich('{actor} created the template “{name}”', { actor }, { name }),
  },
  'template.update': {
    label: t('Template changed'),
    sentence: (actor, { target_label: name }) =>
      name === null
        ? rich('{actor} changed the template', { actor })
        : rich('{actor} changed the template “{name}”', { actor }, { name }),
  },
  'template.delete': {
    label: t('Template deleted'),
    sentence: (actor, { target_label: name }) =>
      name === null
        ? rich('{actor} deleted the template', { actor })
        : rich('{actor} deleted the template “{name}”', { actor }, { name }),
  },
};
