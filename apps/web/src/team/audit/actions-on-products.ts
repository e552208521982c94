import { formatPrice } from '@stagedoor/browser/money';
import { t } from '../../lib/text/i18n.ts';
import { type ActionTexts, type EntryFields, list, textOf } from './action-texts.ts';

const FIELDS: Readonly<Record<string, string>> = {
  title: t('title'),
  name: t('name'),
  description: t('description'),
  price_cents: t('price'),
  folder_id: t('folder'),
  is_active: t('is active'),
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

/** The sentences for actions on products, folders, templates and payments. */
export const ACTIONS_ON_PRODUCTS: ActionTexts = {
  'product.create': {
    label: t('Product created'),
    sentence: (entry) => {
      const { target_label: name } = entry;
      const price = priceOf(entry);
      if (price === null)
        return name === null
          ? t('created the product')
          : t('created the product “{name}”', { name });
      return name === null
        ? t('created the product for {price}', { price })
        : t('created the product “{name}” for {price}', { name, price });
    },
  },
  'product.update': {
    label: t('Product changed'),
    sentence: (entry) => {
      const { target_label: name } = entry;
      const fields = changedFields(entry);
      if (fields === '')
        return name === null
          ? t('changed the product')
          : t('changed the product “{name}”', { name });
      return name === null
        ? t('changed the product: {fields}', { fields })
        : t('changed the product “{name}”: {fields}', { name, fields });
    },
  },
  'product.delete': {
    label: t('Product deleted'),
    sentence: ({ target_label: name }) =>
      name === null ? t('deleted the product') : t('deleted the product “{name}”', { name }),
  },
  'payment.give_back': {
    label: t('Stripe refund requested'),
    sentence: ({ target_label, details }) => {
      const reason = REASONS[textOf(details.reason)] ?? textOf(details.reason);
      return target_label === null
        ? t('asked Stripe to refund a payment: {reason}', { reason })
        : t('asked Stripe to refund a payment for “{name}”: {reason}', {
            name: target_label,
            reason,
          });
    },
  },
  'payment.refund': {
    label: t('Refund recorded'),
    sentence: ({ target_label }) =>
      target_label === null
        ? t('recorded the refund of a payment')
        : t('recorded the refund of a payment for “{name}”', { name: target_label }),
  },
  'folder.create': {
    label: t('Folder created'),
    sentence: ({ target_label: name }) =>
      name === null ? t('created the folder') : t('created the folder “{name}”', { name }),
  },
  'folder.update': {
    label: t('Folder changed'),
    sentence: (entry) => {
      const { target_label: name } = entry;
      const fields = changedFields(entry);
      if (fields === '')
        return name === null ? t('changed the folder') : t('changed the folder “{name}”', { name });
      return name === null
        ? t('changed the folder: {fields}', { fields })
        : t('changed the folder “{name}”: {fields}', { name, fields });
    },
  },
  'folder.delete': {
    label: t('Folder deleted'),
    sentence: ({ target_label: name }) =>
      name === null ? t('deleted the folder') : t('deleted the folder “{name}”', { name }),
  },
  'template.create': {
    label: t('Template created'),
    sentence: ({ target_label: name }) =>
      name === null ? t('created the template') : t('created the template “{name}”', { name }),
  },
  'template.update': {
    label: t('Template changed'),
    sentence: ({ target_label: name }) =>
      name === null ? t('changed the template') : t('changed the template “{name}”', { name }),
  },
  'template.delete': {
    label: t('Template deleted'),
    sentence: ({ target_label: name }) =>
      name === null ? t('deleted the template') : t('deleted the template “{name}”', { name }),
  },
};
