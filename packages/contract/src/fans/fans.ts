import * as z from 'zod/mini';
import { del, get, patch, put } from '../endpoint.ts';
import {
  basedOn,
  byId,
  hexColor,
  lookupId,
  namedObject,
  requiredText,
  schemaNames,
  sentence,
  text,
} from '../primitives.ts';
import { FanProfile } from './profile.ts';
import { Subscription } from './subscriptions.ts';

/** A tag on a fan. Local tags have their own label and color; library tags take theirs from the shared library. */
export const FanTag = namedObject('FanTag', {
  id: z.string(),
  label: z.string(),
  /** Null if none was chosen: the client then derives a color from the label. */
  color: z.nullable(hexColor),
  isGlobal: z.boolean(),
  globalTagId: z.nullable(z.string()),
});
export type FanTag = z.infer<typeof FanTag>;

/** The maximum number of tags on one fan. */
export const FAN_TAGS_MAX = 50;
export const TAG_LABEL_MAX_CHARS = 60;

/** A fan as staff see them. */
export const Fan = z
  .extend(FanProfile, {
    id: z.string(),
    external_id: z.string(),
    admin_tags: z.array(FanTag),
    /** Null if the fan never had a trial or a subscription. */
    subscription: z.nullable(Subscription),
  })
  .register(schemaNames, { id: 'Fan' });
export type Fan = z.infer<typeof Fan>;

/** A tag in a request: a library tag by its id, or a local tag by label and color. */
export const FanTagInput = z
  .strictObject({
    /** The id of a tag that the fan already has. The tag keeps this id. */
    id: z.optional(lookupId),
    label: z.optional(requiredText(TAG_LABEL_MAX_CHARS)),
    color: z.optional(z.nullable(hexColor)),
    isGlobal: z.optional(z.boolean()),
    globalTagId: z.optional(z.nullable(lookupId)),
  })
  .check(
    z.refine((tag) => Boolean(tag.globalTagId) || tag.label !== undefined, {
      error: sentence('Please enter a label'),
      path: ['label'],
    }),
  );
export type FanTagInput = z.infer<typeof FanTagInput>;

const tagList = z.array(FanTagInput).check(z.maxLength(FAN_TAGS_MAX));

/** These limits are far above any real note and only keep a request from exhausting the server. */
export const NOTES_BODY_BYTES = 4 * 1024 * 1024;
const note = text(1_000_000);

/** A fan's profile notes, all free text. */
const notesFields = {
  dob: note,
  location: note,
  marital_status: note,
  years_of_support: note,
  notes: note,
};

export const FanNotes = namedObject('FanNotes', {
  ...notesFields,
  /** Rises with each save. */
  version: z.int(),
});
export type FanNotes = z.infer<typeof FanNotes>;

export const FanNotesInput = z.extend(z.partial(z.strictObject(notesFields)), { version: basedOn });
export type FanNotesInput = z.infer<typeof FanNotesInput>;

export const getNotes = get('/api/messages/admin/conversation/{id}/notes', {
  summary: 'The profile notes about the conversation’s fan.',
  auth: 'admin',
  params: byId,
  replies: { 200: z.object({ data: FanNotes }) },
  errors: ['conversation_not_found'],
});

export const updateNotes = patch('/api/messages/admin/conversation/{id}/notes', {
  isAct: true,
  summary:
    'Update the given profile notes. If `version` is older than the stored one: 409 with the current notes.',
  auth: 'admin',
  params: byId,
  body: FanNotesInput,
  replies: { 200: z.object({ data: FanNotes }) },
  errors: ['conversation_not_found', 'notes_conflict'],
});

export const getTags = get('/api/messages/admin/conversation/{id}/tags', {
  summary: 'The tags of the conversation’s fan, in order.',
  auth: 'admin',
  params: byId,
  replies: { 200: z.object({ data: z.array(FanTag) }) },
  errors: ['conversation_not_found'],
});

export const replaceTags = put('/api/messages/admin/conversation/{id}/tags', {
  isAct: true,
  summary: 'Replace the ordered list of the fan’s tags.',
  auth: 'admin',
  params: byId,
  body: z.strictObject({ tags: tagList }),
  replies: { 200: z.object({ data: z.array(FanTag) }) },
  errors: ['conversation_not_found', 'tag_not_found'],
});

export const removeTag = del('/api/messages/admin/conversation/{id}/tags/{tagId}', {
  isAct: true,
  summary: 'Remove one tag from the fan.',
  auth: 'admin',
  params: z.object({ id: lookupId, tagId: lookupId }),
  replies: { 200: z.object({ data: z.array(FanTag) }) },
  errors: ['conversation_not_found', 'tag_not_found'],
});

const adminFields = z.object({ admin_notes: z.string(), admin_tags: z.array(FanTag) });

export const getAdminFields = get('/api/customer/admin-fields/{customerId}', {
  summary: 'A fan’s free-text notes and tags, by the fan’s id.',
  auth: 'admin',
  params: z.object({ customerId: lookupId }),
  replies: { 200: z.extend(adminFields, { data: z.extend(adminFields, { version: z.int() }) }) },
  errors: ['fan_not_found'],
});

export const updateAdminFields = patch('/api/customer/admin-fields/{customerId}', {
  isAct: true,
  summary: 'Update a fan’s free-text notes or tags. The reply has the fields that were sent.',
  auth: 'admin',
  params: z.object({ customerId: lookupId }),
  body: z.strictObject({
    admin_notes: z.optional(note),
    admin_tags: z.optional(tagList),
    version: basedOn,
  }),
  replies: { 200: z.object({ data: z.extend(z.partial(adminFields), { version: z.int() }) }) },
  errors: ['fan_not_found', 'tag_not_found', 'notes_conflict'],
});
