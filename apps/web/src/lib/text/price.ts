import { PRICE_STEP } from '@stagedoor/contract/selling/products';
import { t } from './i18n.ts';

/** The error for a price that `parsePrice` rejects. */
export const NO_PRICE = t('Please enter a valid price');

/** The attributes of a price field. A number field would drop the comma of `4,99` and make it 499. */
export const PRICE_INPUT = {
  type: 'text',
  inputMode: 'decimal',
  autoComplete: 'off',
  step: PRICE_STEP,
  min: PRICE_STEP,
} as const;
