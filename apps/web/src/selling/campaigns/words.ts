import type { CampaignState } from '@stagedoor/contract/selling/campaign-state';
import type {
  CampaignCounts,
  RecipientState,
  SkipReason,
} from '@stagedoor/contract/selling/campaigns';
import { t, translated } from '../../lib/text/i18n.ts';
import type { Badge } from '../../ui/badge.tsx';

type Tone = NonNullable<Parameters<typeof Badge>[0]['tone']>;

export const STATES: Readonly<Record<CampaignState, { label: string; tone: Tone }>> = {
  draft: { label: t('Draft'), tone: 'neutral' },
  scheduled: { label: t('Scheduled', 'campaign'), tone: 'info' },
  running: { label: t('Sending'), tone: 'accent' },
  paused: { label: t('Paused', 'campaign'), tone: 'warn' },
  finished: { label: t('Finished', 'campaign'), tone: 'good' },
  canceled: { label: t('Canceled', 'campaign'), tone: 'neutral' },
};

export const RECIPIENT_STATES: Readonly<Record<RecipientState, { label: string; tone: Tone }>> = {
  pending: { label: t('Waiting'), tone: 'info' },
  sent: { label: t('Sent', 'recipient'), tone: 'neutral' },
  skipped: { label: t('Skipped', 'recipient'), tone: 'neutral' },
  unsent: { label: t('Unsent', 'recipient'), tone: 'warn' },
};

/** Why a fan doesn't get the message. */
export const REASONS: Readonly<Record<SkipReason, string>> = {
  owns_product: t('Already bought it'),
  offered_recently: t('Offered recently'),
  messaged_recently: t('Messaged recently'),
  unread: t('Has unread messages'),
  in_conversation: t('In a conversation right now'),
  missing_variable: t('No value for a variable'),
  erased: t('Erased'),
  daily_cap: t('Daily limit reached'),
  canceled: t('Mass message canceled'),
  expired: t('Mass message expired'),
};

/** The server's reasons for pausing a mass message, in addition to the errors of refused calls. */
const PAUSE_REASONS: Readonly<Record<string, string>> = {
  'The person who started this was removed': t('The person who started this was removed'),
  'The person who started this can no longer send mass messages': t(
    'The person who started this can no longer send mass messages',
  ),
};

/** Returns why the server paused a mass message, in the user's language. */
export const pauseReason = (reason: string): string => PAUSE_REASONS[reason] ?? translated(reason);

/** The names of the two variants. */
export const VARIANTS = [t('Variant A'), t('Variant B')] as const;

/** Returns a share in percent; 0 if the whole is 0. */
export const percentOf = (part: number, whole: number): number =>
  whole === 0 ? 0 : (part / whole) * 100;

/** Returns the share of recipients whose outcome is known, in percent. */
export const progressOf = ({ audience, sent, skipped, unsent }: CampaignCounts): number =>
  percentOf(sent + skipped + unsent, audience);
