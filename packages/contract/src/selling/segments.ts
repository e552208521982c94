import * as z from 'zod/mini';
import { del, get, managed, patch, post } from '../endpoint.ts';
import {
  byId,
  dataOf,
  lookupId,
  namedObject,
  requiredText,
  schemaNames,
  timestamp,
} from '../primitives.ts';
import {
  RULE_CONDITIONS_MAX,
  RULE_DEPTH_MAX,
  SEGMENT_FIELDS,
  type SegmentRule,
} from './segment-rules.ts';

export const SEGMENT_NAME_MAX_CHARS = 100;
/** The maximum number of segments. */
export const SEGMENTS_MAX = 200;
/** The maximum number of fans in a preview. */
export const PREVIEW_FANS_MAX = 100;

/** A rule in a request. The server validates it with `parseRule`, which returns the first fault. */
export const segmentRule = z.unknown().register(schemaNames, {
  description: `{ "all": [...] } or { "any": [...] }. The items are conditions { "field", "op", "value" } or nested rules; at most ${RULE_DEPTH_MAX} levels and ${RULE_CONDITIONS_MAX} conditions. Fields: ${Object.keys(SEGMENT_FIELDS).join(', ')}.`,
}) as unknown as z.ZodMiniType<unknown, SegmentRule>;

const name = requiredText(SEGMENT_NAME_MAX_CHARS, 'Please enter a name');

/** A saved rule that selects fans. It is evaluated each time it is used. */
export const Segment = namedObject('Segment', {
  id: z.string(),
  name: z.string(),
  rule: z.record(z.string(), z.unknown()) as unknown as z.ZodMiniType<SegmentRule>,
  /** The id of the admin who created it. */
  created_by: z.string(),
  updated_at: timestamp,
});
export type Segment = z.infer<typeof Segment>;

/** The fans that match a rule. */
export const SegmentPreview = z.object({
  total: z.int(),
  /** As many fans as requested, those with the newest messages first. */
  fans: z.array(
    z.object({
      fan_id: z.string(),
      conversation_id: z.string(),
      /** The fan's name, else their username, email or platform id. */
      display_name: z.string(),
    }),
  ),
});
export type SegmentPreview = z.infer<typeof SegmentPreview>;

/** Why a fan matches a rule, or doesn't. */
export const SegmentExplanation = z.object({
  matches: z.boolean(),
  /** The conditions, in the order of the rule. */
  conditions: z.array(
    z.object({
      /** The path to the condition, for example `all.0` or `all.1.any.0`. */
      path: z.string(),
      matches: z.boolean(),
      /** The fan's value: a list for tags and languages; for products, whether the fan owns it or was offered it. */
      actual: z.nullable(z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
    }),
  ),
});
export type SegmentExplanation = z.infer<typeof SegmentExplanation>;

const path = '/api/segments';
const one = z.object({ data: Segment });

export const listSegments = get(path, {
  auth: 'admin',
  summary: `The team’s segments by name; at most ${SEGMENTS_MAX}.`,
  replies: { 200: z.object({ data: z.array(Segment) }) },
});

export const createSegment = post(path, {
  ...managed,
  summary: `Save a segment; at most ${SEGMENTS_MAX}.`,
  body: z.strictObject({ name, rule: segmentRule }),
  replies: { 201: one },
  errors: ['invalid_rule', 'too_many_segments'],
});

export const updateSegment = patch(`${path}/{id}`, {
  ...managed,
  summary: 'Rename a segment or change its rule.',
  params: byId,
  body: z.strictObject({ name: z.optional(name), rule: z.optional(segmentRule) }),
  replies: { 200: one },
  errors: ['invalid_rule', 'segment_not_found'],
});

export const deleteSegment = del(`${path}/{id}`, {
  ...managed,
  summary: 'Delete a segment.',
  params: byId,
  replies: { 200: dataOf({ deleted: z.literal(true) }) },
  errors: ['segment_not_found'],
});

export const previewSegment = post(`${path}/preview`, {
  isWork: false,
  auth: 'admin',
  summary: 'How many fans match a rule now, and the first of them.',
  body: z.strictObject({
    rule: segmentRule,
    limit: z._default(z.int().check(z.gte(0), z.lte(PREVIEW_FANS_MAX)), 20),
  }),
  replies: { 200: z.object({ data: SegmentPreview }) },
  errors: ['invalid_rule', 'segment_too_slow'],
});

export const explainSegment = post(`${path}/explain`, {
  isWork: false,
  auth: 'admin',
  summary: 'Whether a conversation’s fan matches a rule, and which of its conditions they match.',
  body: z.strictObject({ rule: segmentRule, conversation_id: lookupId }),
  replies: { 200: z.object({ data: SegmentExplanation }) },
  errors: ['invalid_rule', 'conversation_not_found'],
});
