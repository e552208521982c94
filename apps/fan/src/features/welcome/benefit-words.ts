import type { BenefitType } from '@stagedoor/contract/fans/invites';
import { t } from '../../lib/i18n.ts';

/** The benefits of invitations, worded as in the invitation email. */
export const BENEFIT_WORDS: Record<BenefitType, string> = {
  '1_month_free': t('1 month free'),
  '3_months_free': t('3 months free'),
  '24_hours_free': t('24 hours free'),
  full_subscription: t('A full subscription'),
};
