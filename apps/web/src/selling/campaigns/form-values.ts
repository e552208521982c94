import { parsePrice } from '@stagedoor/browser/money';
import { ATTACHMENTS_MAX, type Attachment } from '@stagedoor/contract/media';
import { unknownVariable } from '@stagedoor/contract/selling/campaign-text';
import {
  CAMPAIGN_TEXT_MAX_CHARS,
  type Campaign,
  type CampaignExclusions,
} from '@stagedoor/contract/selling/campaigns';
import type { SegmentRule } from '@stagedoor/contract/selling/segment-rules';
import { t } from '../../lib/text/i18n.ts';
import { NO_PRICE } from '../../lib/text/price.ts';
import { fromLocal, ownZone, toLocal } from '../../lib/text/zoned-time.ts';
import { checkRule, type DraftRule } from '../segments/draft-rule.ts';
import type { CampaignBody, UnsavedBody } from './queries.ts';

/** A product in the form. */
export interface FormOffer {
  /** Empty while none is chosen. */
  productId: string;
  price: string;
}

export interface FormVariant {
  content: string;
  offers: readonly FormOffer[];
  /** Uploaded files. */
  files: readonly Attachment[];
}

export type Timing = 'now' | 'time' | 'local';

/** A campaign as typed. */
export interface CampaignValues {
  name: string;
  /** One or two. */
  variants: readonly FormVariant[];
  /** The percentage of fans who get the first of two variants. */
  share: string;
  /** A segment's id; empty if `rule` selects the audience. */
  segmentId: string;
  rule: DraftRule;
  offeredDays: string;
  messagedHours: string;
  unread: boolean;
  inConversation: boolean;
  timing: Timing;
  /** Local times as `2026-11-21T18:00`. `sendAt` is in the team's time zone if `timing` is `local`. */
  sendAt: string;
  perMinute: string;
  expiresAt: string;
}

/** Errors by the server's dotted field paths. */
export type CampaignErrors = Readonly<Record<string, string>>;

export const NEW_VARIANT: FormVariant = { content: '', offers: [], files: [] };

const NEW: CampaignValues = {
  name: '',
  variants: [NEW_VARIANT],
  share: '50',
  segmentId: '',
  rule: { all: [] },
  offeredDays: '',
  messagedHours: '',
  unread: false,
  inConversation: false,
  timing: 'now',
  sendAt: '',
  perMinute: '',
  expiresAt: '',
};

/** Returns a campaign's form values; for null, those of an empty form. @param teamZone the team's time zone */
export function valuesOf(campaign: Campaign | null, teamZone: string): CampaignValues {
  if (campaign === null) return NEW;
  const { audience, exclude, send_at, expires_at, per_minute, fan_local_time } = campaign;
  const local = (at: string | null, zone: string) =>
    at === null ? '' : toLocal(Date.parse(at), zone);
  const number = (value: number | null | undefined) => (value == null ? '' : String(value));
  return {
    name: campaign.name,
    variants: campaign.variants.map(({ content, attachments }) => ({
      content,
      offers: attachments.flatMap(({ product_id, price }) =>
        product_id === null ? [] : [{ productId: product_id, price: price?.toFixed(2) ?? '' }],
      ),
      files: attachments.filter(({ product_id }) => product_id === null),
    })),
    share: number(campaign.variants.length > 1 ? campaign.variants[0]?.share : 50),
    segmentId: 'segment_id' in audience ? audience.segment_id : '',
    rule: 'rule' in audience ? audience.rule : NEW.rule,
    offeredDays: number(exclude.offered_within_days),
    messagedHours: number(exclude.messaged_within_hours),
    unread: exclude.unread ?? false,
    inConversation: exclude.in_conversation ?? false,
    timing: fan_local_time ? 'local' : send_at === null ? 'now' : 'time',
    sendAt: local(send_at, fan_local_time ? teamZone : ownZone()),
    perMinute: number(per_minute),
    expiresAt: local(expires_at, ownZone()),
  };
}

/** Returns the number in a text; null unless it is a whole number from 1 to `max`. */
function wholeNumber(text: string, max: number): number | null {
  const number = /^\d+$/.test(text.trim()) ? Number(text) : 0;
  return number >= 1 && number <= max ? number : null;
}

const MAX = { offeredDays: 3_650, messagedHours: 8_760, perMinute: 1_000_000 } as const;

const instantOf = (local: string, zone: string): string | null => {
  const instant = fromLocal(local, zone);
  return instant === null ? null : new Date(instant).toISOString();
};

const isOver = (local: string, zone: string) => {
  const instant = fromLocal(local, zone);
  return instant === null || instant <= Date.now();
};

const zoneOf = ({ timing }: CampaignValues, teamZone: string) =>
  timing === 'local' ? teamZone : ownZone();

/** Returns the errors in the typed values, by field. */
export function errorsOf(values: CampaignValues, teamZone: string): CampaignErrors {
  const range = (max: number) =>
    t('Enter a whole number from 1 to {max}, or leave this empty', { max });
  const wrongNumber = (field: keyof typeof MAX, path: string) =>
    values[field].trim() !== '' &&
    wholeNumber(values[field], MAX[field]) === null && { [path]: range(MAX[field]) };
  return Object.assign(
    {},
    values.name.trim() === '' && { name: t('Enter a name') },
    ...values.variants.map((variant, index) => variantErrors(variant, `variants.${index}`)),
    values.variants.length > 1 &&
      wholeNumber(values.share, 99) === null && {
        share: t('Enter a whole number from 1 to 99'),
      },
    values.segmentId === '' && ruleErrors(values.rule),
    wrongNumber('offeredDays', 'exclude.offered_within_days'),
    wrongNumber('messagedHours', 'exclude.messaged_within_hours'),
    wrongNumber('perMinute', 'per_minute'),
    values.timing !== 'now' &&
      isOver(values.sendAt, zoneOf(values, teamZone)) && {
        send_at: t('Choose a time in the future'),
      },
    values.expiresAt !== '' &&
      isOver(values.expiresAt, ownZone()) && { expires_at: t('Choose a time in the future') },
  );
}

function ruleErrors(rule: DraftRule): CampaignErrors {
  const checked = checkRule(rule);
  if ('rule' in checked) return {};
  return Object.fromEntries(
    Object.entries(checked.faults).map(([path, fault]) => [`rule.${path}`, fault]),
  );
}

function variantErrors({ content, offers, files }: FormVariant, path: string): CampaignErrors {
  const unknown = unknownVariable(content);
  const isEmpty = content.trim() === '' && offers.length + files.length === 0;
  return Object.assign(
    {},
    isEmpty && { [`${path}.content`]: t('Write a message or attach a file') },
    content.length > CAMPAIGN_TEXT_MAX_CHARS && {
      [`${path}.content`]: t('Shorten this to {max} characters', { max: CAMPAIGN_TEXT_MAX_CHARS }),
    },
    unknown !== null && {
      [`${path}.content`]: t('There is no variable {unknown}', { unknown }),
    },
    offers.length + files.length > ATTACHMENTS_MAX && {
      [`${path}.attachments`]: t('At most {max} attachments', { max: ATTACHMENTS_MAX }),
    },
    ...offers.map(
      ({ productId, price }, index) =>
        (productId === '' && { [`${path}.offers.${index}`]: t('Choose a product') }) ||
        (parsePrice(price) === null && { [`${path}.offers.${index}`]: NO_PRICE }),
    ),
  );
}

/** Returns the values that a preview depends on; null while they contain errors. */
export function unsavedOf(values: CampaignValues, teamZone: string): UnsavedBody | null {
  const wrong = Object.keys(errorsOf(values, teamZone));
  const concerns = (path: string) => /^(rule|share|exclude|variants\.\d\.offers)/.test(path);
  return wrong.some(concerns) ? null : messageOf(values);
}

function messageOf(values: CampaignValues): UnsavedBody {
  const share = wholeNumber(values.share, 99) ?? 50;
  const shares = values.variants.length > 1 ? [share, 100 - share] : [100];
  return {
    variants: values.variants.map(({ content, offers, files }, index) => ({
      content: content.trim(),
      attachments: [
        ...offers.map(({ productId, price }) => ({
          product_id: productId,
          is_paid: true as const,
          price: parsePrice(price) ?? 0,
        })),
        ...files.map(({ id }) => ({ id })),
      ],
      share: shares[index] ?? 100,
    })),
    audience:
      values.segmentId === ''
        ? { rule: values.rule as SegmentRule }
        : { segment_id: values.segmentId },
    exclude: exclusionsOf(values),
  };
}

function exclusionsOf(values: CampaignValues): CampaignExclusions {
  const days = wholeNumber(values.offeredDays, MAX.offeredDays);
  const hours = wholeNumber(values.messagedHours, MAX.messagedHours);
  return {
    ...(days !== null && { offered_within_days: days }),
    ...(hours !== null && { messaged_within_hours: hours }),
    ...(values.unread && { unread: true }),
    ...(values.inConversation && { in_conversation: true }),
  };
}

/** Returns the API body for values without errors. */
export function bodyOf(values: CampaignValues, teamZone: string): CampaignBody {
  return {
    ...messageOf(values),
    name: values.name.trim(),
    send_at: values.timing === 'now' ? null : instantOf(values.sendAt, zoneOf(values, teamZone)),
    fan_local_time: values.timing === 'local',
    per_minute: wholeNumber(values.perMinute, MAX.perMinute),
    expires_at: instantOf(values.expiresAt, ownZone()),
  };
}
