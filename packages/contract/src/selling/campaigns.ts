import * as z from 'zod/mini';
import { get, managed, post, put } from '../endpoint.ts';
import { ATTACHMENTS_MAX, Attachment } from '../media.ts';
import {
  byId,
  instant,
  lookupId,
  namedObject,
  pageOf,
  priceUsd,
  requiredText,
  sentence,
  text,
  timestamp,
} from '../primitives.ts';
import { CampaignState } from './campaign-state.ts';
import type { SegmentRule } from './segment-rules.ts';
import { segmentRule } from './segments.ts';

export const CAMPAIGN_NAME_MAX_CHARS = 100;
export const CAMPAIGN_TEXT_MAX_CHARS = 4_000;
export const CAMPAIGN_VARIANTS_MAX = 2;
/** The maximum number of campaigns, and of recipients, on a page. */
export const CAMPAIGN_PAGE_MAX = 50;
export const RECIPIENT_PAGE_MAX = 200;
/** The number of messages shown in a preview. */
export const CAMPAIGN_SAMPLES = 3;

/** Why a fan in the audience doesn't get the message. If several reasons apply, the first one in this list counts. */
export const EXCLUSION_REASONS = [
  'owns_product',
  'offered_recently',
  'messaged_recently',
  'unread',
  'in_conversation',
  'missing_variable',
  'erased',
  'daily_cap',
] as const;
export type ExclusionReason = (typeof EXCLUSION_REASONS)[number];

/** Why a recipient was skipped: the fan was excluded, or the campaign was canceled or expired first. */
export const SKIP_REASONS = [...EXCLUSION_REASONS, 'canceled', 'expired'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

export const RecipientState = z.enum(['pending', 'sent', 'skipped', 'unsent']);
export type RecipientState = z.infer<typeof RecipientState>;

/** The fans to leave out, besides owners of the offered products. */
export const CampaignExclusions = z.strictObject({
  /** Leaves out fans who were offered one of the campaign's products within the given number of days. */
  offered_within_days: z.optional(z.int().check(z.gte(1), z.lte(3_650))),
  /** Leaves out fans to whom the creator has written within the given number of hours, including mass messages. */
  messaged_within_hours: z.optional(z.int().check(z.gte(1), z.lte(8_760))),
  /** Leaves out fans with messages that nobody has read. */
  unread: z.optional(z.boolean()),
  /** Leaves out fans who sent or received a message in the last 30 minutes, except mass messages. */
  in_conversation: z.optional(z.boolean()),
});
export type CampaignExclusions = z.infer<typeof CampaignExclusions>;

/** The figures of a campaign, or of one variant. */
export const CampaignCounts = namedObject('CampaignCounts', {
  /** All recipients, including those who are still waiting. */
  audience: z.int(),
  /** Fans who have the message. Unsending it moves them to `unsent`. */
  sent: z.int(),
  skipped: z.int(),
  unsent: z.int(),
  read: z.int(),
  /** Fans who wrote within 24 hours of getting the message. */
  replied: z.int(),
  /** Sales of the offers in the messages, without refunded sales. */
  purchases: z.int(),
  /** USD. */
  revenue: z.number(),
  /** Purchases per hundred offers that were sent; 0 without offers. */
  unlock_rate: z.number(),
});
export type CampaignCounts = z.infer<typeof CampaignCounts>;

const CampaignAudience = z.union([
  z.object({
    rule: z.record(z.string(), z.unknown()) as unknown as z.ZodMiniType<SegmentRule>,
  }),
  z.object({ segment_id: z.string() }),
]);

/** One message from the creator to many fans. */
export const Campaign = namedObject('Campaign', {
  id: z.string(),
  name: z.string(),
  state: CampaignState,
  /** Why the server paused it; null if an admin did. */
  paused_reason: z.nullable(z.string()),
  variants: z.array(
    z.object({
      content: z.string(),
      attachments: z.array(Attachment),
      /** The percentage of the audience that gets this variant. */
      share: z.int(),
      counts: CampaignCounts,
    }),
  ),
  audience: CampaignAudience,
  exclude: CampaignExclusions,
  send_at: z.nullable(timestamp),
  fan_local_time: z.boolean(),
  per_minute: z.nullable(z.int()),
  expires_at: z.nullable(timestamp),
  /**
   * The ids of the admin who created it, and of the admin who started it or took it over by resuming it. Admins are credited
   * with the sales of the messages sent in their name.
   */
  created_by: z.string(),
  started_by: z.nullable(z.string()),
  created_at: timestamp,
  started_at: z.nullable(timestamp),
  finished_at: z.nullable(timestamp),
  /** When unsending was requested, and whether it is still under way. */
  unsent_at: z.nullable(timestamp),
  is_unsending: z.boolean(),
  /** Rises each time the draft is saved. */
  version: z.int(),
  counts: CampaignCounts,
});
export type Campaign = z.infer<typeof Campaign>;

const known = z.partial(z.object(Attachment.shape)).shape;
/** A file from `uploadCampaignFiles` or a product at a price. Other fields of an {@link Attachment} are accepted and ignored. */
export const CampaignAttachment = z.union([
  z.strictObject({ ...known, id: lookupId, product_id: z.optional(z.null()) }),
  z.strictObject({ ...known, product_id: lookupId, is_paid: z.literal(true), price: priceUsd }),
]);
export type CampaignAttachment = z.infer<typeof CampaignAttachment>;

const NO_TIME = sentence('Choose the time at which to send');

/** A campaign’s content and recipients. */
const message = {
  variants: z
    .array(
      z.strictObject({
        /** May contain the variables of `CAMPAIGN_VARIABLES`. */
        content: z._default(text(CAMPAIGN_TEXT_MAX_CHARS), ''),
        attachments: z._default(
          z.array(CampaignAttachment).check(z.maxLength(ATTACHMENTS_MAX)),
          [],
        ),
        share: z._default(z.int().check(z.gte(1), z.lte(100)), 100),
      }),
    )
    .check(
      z.minLength(1),
      z.maxLength(CAMPAIGN_VARIANTS_MAX),
      z.refine(
        (variants) => variants.reduce((sum, { share }) => sum + share, 0) === 100,
        'Shares must add up to 100',
      ),
    ),
  audience: z.union([
    z.strictObject({ rule: segmentRule }),
    z.strictObject({ segment_id: lookupId }),
  ]),
  exclude: z._default(CampaignExclusions, {}),
};

/** The part of a campaign that a preview depends on. */
export const UnsavedCampaign = z.strictObject(message);
export type UnsavedCampaign = z.infer<typeof UnsavedCampaign>;

export const CampaignInput = z
  .strictObject({
    name: requiredText(CAMPAIGN_NAME_MAX_CHARS, 'Please enter a name'),
    ...message,
    /** When to send. Without it, the message is sent when the campaign starts. */
    send_at: z.optional(z.nullable(instant)),
    /** Whether `send_at` is a local time for each fan: 18:00 in the team's time zone then means 18:00 in each fan's time zone. */
    fan_local_time: z._default(z.boolean(), false),
    /** The maximum number of messages a minute. */
    per_minute: z.optional(z.nullable(z.int().check(z.gte(1), z.lte(1_000_000)))),
    /** Nothing is sent after this time. */
    expires_at: z.optional(z.nullable(instant)),
  })
  .check(
    z.refine(({ fan_local_time, send_at }) => !fan_local_time || send_at != null, {
      path: ['send_at'],
      error: NO_TIME,
    }),
  );
export type CampaignInput = z.infer<typeof CampaignInput>;

/** The fans who would get the message now, selected in the same way as for the send. */
export const CampaignPreview = z.object({
  audience: z.int(),
  sendable: z.int(),
  excluded: z.object({
    owns_product: z.int(),
    offered_recently: z.int(),
    messaged_recently: z.int(),
    unread: z.int(),
    in_conversation: z.int(),
    missing_variable: z.int(),
    erased: z.int(),
    daily_cap: z.int(),
  }),
  /** The messages for the first few fans who would get one. */
  samples: z.array(
    z.object({
      fan: z.object({
        fan_id: z.string(),
        conversation_id: z.string(),
        display_name: z.string(),
      }),
      content: z.string(),
      variant: z.int(),
    }),
  ),
});
export type CampaignPreview = z.infer<typeof CampaignPreview>;

export const CampaignRecipient = namedObject('CampaignRecipient', {
  fan_id: z.string(),
  conversation_id: z.string(),
  /** Empty for an erased fan. */
  display_name: z.string(),
  state: RecipientState,
  /** Set while `state` is `skipped`. */
  reason: z.nullable(z.enum(SKIP_REASONS)),
  message_id: z.nullable(z.string()),
  variant: z.int(),
  read: z.boolean(),
  /** Whether the fan answered within 24 hours. */
  replied: z.boolean(),
  /** How many of the message’s offers the fan bought, without refunded purchases. */
  purchases: z.int(),
  /** USD. */
  revenue: z.number(),
});
export type CampaignRecipient = z.infer<typeof CampaignRecipient>;

const path = '/api/campaigns';
const one = z.object({ data: Campaign });
/** Changing a campaign also needs `can_manage_messages`. */
const action = { ...managed, params: byId, replies: { 200: one } } as const;
const cursor = z.optional(text(500));
/** The version of the draft that the caller last read. */
const readVersion = { version: z.optional(z.int()) };

const refused = [
  'message_privilege_required',
  'invalid_rule',
  'invalid_attachment',
  'segment_not_found',
] as const;
const railed = ['banned_words', 'price_out_of_bounds'] as const;

export const createCampaign = post(path, {
  ...managed,
  summary: 'Save a mass message as a draft. Also requires can_manage_messages.',
  body: CampaignInput,
  replies: { 201: one },
  errors: [...refused, ...railed],
});

export const updateCampaign = put(`${path}/{id}`, {
  ...action,
  summary:
    'Replace a draft. If `version` is sent, it must be the draft’s latest; otherwise `edit_conflict`.',
  body: z.extend(CampaignInput, readVersion),
  errors: [...refused, ...railed, 'campaign_not_found', 'invalid_transition', 'edit_conflict'],
});

export const previewUnsavedCampaign = post(`${path}/preview`, {
  isWork: false,
  ...managed,
  summary:
    'Preview a campaign that is not saved yet. The reply is the same as for a saved campaign.',
  body: UnsavedCampaign,
  replies: { 200: z.object({ data: CampaignPreview }) },
  errors: [...refused, 'segment_too_slow'],
});

/** Multipart: repeated `files`. If one file is refused, none is stored. */
export const uploadCampaignFiles = post(`${path}/uploads`, {
  ...managed,
  summary:
    'Upload files for a mass message: multipart with repeated `files`. Each file is stored only once for all recipients, and deleted if no campaign uses it within a day.',
  upload: true,
  replies: { 200: z.object({ attachments: z.array(Attachment) }) },
  errors: ['message_privilege_required', 'invalid_file', 'payload_too_large', 'storage_full'],
});

export const listCampaigns = get(path, {
  auth: 'admin',
  summary:
    'The campaigns that the caller started, newest first; for those who can manage admins, all campaigns.',
  query: z.object({
    limit: z._default(
      z.coerce.number().check(z.int(), z.gte(1), z.lte(CAMPAIGN_PAGE_MAX)),
      CAMPAIGN_PAGE_MAX,
    ),
    cursor,
  }),
  replies: { 200: pageOf(Campaign) },
});

export const getCampaign = get(`${path}/{id}`, {
  auth: 'admin',
  summary: 'A campaign with its state and results.',
  params: byId,
  replies: { 200: one },
  errors: ['campaign_not_found'],
});

export const previewCampaign = post(`${path}/{id}/preview`, {
  isWork: false,
  ...managed,
  summary:
    'How many fans would get the message now, how many are excluded and why, and sample messages.',
  params: byId,
  replies: { 200: z.object({ data: CampaignPreview }) },
  errors: ['message_privilege_required', 'campaign_not_found', 'segment_too_slow'],
});

const changed = ['message_privilege_required', 'campaign_not_found', 'invalid_transition'] as const;

export const startCampaign = post(`${path}/{id}/start`, {
  isAct: true,
  ...action,
  summary:
    'Start a draft now, or schedule it if its `send_at` is in the future. Its sales are credited to the caller. If `version` is sent, it must be the draft’s latest; otherwise `edit_conflict`.',
  body: z.optional(z.nullable(z.strictObject(readVersion))),
  errors: [...changed, 'invalid_attachment', ...railed, 'edit_conflict'],
});

export const pauseCampaign = post(`${path}/{id}/pause`, {
  ...action,
  summary: 'Pause a scheduled or running campaign.',
  errors: changed,
});

export const resumeCampaign = post(`${path}/{id}/resume`, {
  ...action,
  summary:
    'Resume a paused campaign. Its products must be for sale; if it has not begun, it is checked as for a start. If the admin who started it may no longer do so, the rest is sent by the caller, who is credited with its sales.',
  errors: [...changed, 'invalid_attachment', ...railed],
});

export const cancelCampaign = post(`${path}/{id}/cancel`, {
  ...action,
  summary: 'Cancel a campaign. Messages already sent stay.',
  errors: changed,
});

export const unsendCampaign = post(`${path}/{id}/unsend`, {
  ...action,
  summary:
    'Unsend a campaign’s messages, except those that fans have read or bought. This works only once. A running or paused campaign is canceled.',
  errors: changed,
});

/** A blank filter is ignored. */
const recipientFilters = {
  state: z.optional(z.union([RecipientState, z.literal('')])),
  reason: z.optional(z.enum([...SKIP_REASONS, ''])),
};

export const listRecipients = get(`${path}/{id}/recipients`, {
  auth: 'admin',
  summary: 'A campaign’s recipients.',
  params: byId,
  query: z.object({
    ...recipientFilters,
    limit: z._default(
      z.coerce.number().check(z.int(), z.gte(1), z.lte(RECIPIENT_PAGE_MAX)),
      RECIPIENT_PAGE_MAX,
    ),
    cursor,
  }),
  replies: { 200: pageOf(CampaignRecipient) },
  errors: ['campaign_not_found'],
});

export const exportRecipients = get(`${path}/{id}/recipients/export`, {
  auth: 'admin',
  summary: 'All of a campaign’s recipients as CSV (RFC 4180, UTF-8), sorted by fan id.',
  params: byId,
  query: z.object(recipientFilters),
  download: 'text/csv',
  replies: { 200: z.string() },
  errors: ['campaign_not_found'],
});
