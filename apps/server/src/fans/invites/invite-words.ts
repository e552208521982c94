import type { BenefitType } from '@stagedoor/contract/fans/invites';

/** What an invitation gives, as the invited read it. */
export const BENEFIT_WORDS: Record<BenefitType, string> = {
  '1_month_free': '1 month free',
  '3_months_free': '3 months free',
  '24_hours_free': '24 hours free',
  full_subscription: 'A full subscription',
};

const longDate = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** A day in words, for example `5 December 2026`: of UTC, which holds wherever one reads it. */
export const dayOf = (instant: Date): string => `${longDate.format(instant)} (UTC)`;

export const escapeHtml = (value: string): string =>
  value.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
