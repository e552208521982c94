import type { BenefitType } from '@stagedoor/contract/fans/invites';

/** The benefits as the recipients of invitations read them. */
export const BENEFIT_WORDS: Record<BenefitType, string> = {
  '1_month_free': '1 month free',
  '3_months_free': '3 months free',
  '24_hours_free': '24 hours free',
  full_subscription: 'A full subscription',
};

const longDate = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Formats a day in UTC, for example `5 December 2026 (UTC)`, because the reader's time zone is unknown. */
export const dayOf = (instant: Date): string => `${longDate.format(instant)} (UTC)`;

export const escapeHtml = (value: string): string =>
  value.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
