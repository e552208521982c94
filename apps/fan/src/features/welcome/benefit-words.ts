import type { BenefitType } from '@stagedoor/contract/fans/invites';

/** The benefits of invitations, worded as in the invitation email. */
export const BENEFIT_WORDS: Record<BenefitType, string> = {
  '1_month_free': '1 month free',
  '3_months_free': '3 months free',
  '24_hours_free': '24 hours free',
  full_subscription: 'A full subscription',
};
