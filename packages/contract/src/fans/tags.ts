import * as z from 'zod/mini';
import { del, get, patch, post } from '../endpoint.ts';
import { byId, dataOf, hexColor, namedObject, requiredText } from '../primitives.ts';
import { TAG_LABEL_MAX_CHARS } from './fans.ts';

export const DEFAULT_TAG_COLOR = '#FF5733';

/** A tag in the library shared by all staff. */
export const GlobalTag = namedObject('GlobalTag', {
  id: z.string(),
  label: z.string(),
  color: hexColor,
});
export type GlobalTag = z.infer<typeof GlobalTag>;

const label = requiredText(TAG_LABEL_MAX_CHARS);
const tagReply = z.object({ data: GlobalTag });

export const listGlobalTags = get('/api/messages/admin/global-tags', {
  summary: 'The tag library, sorted by label; at most 1,000.',
  auth: 'admin',
  replies: { 200: z.object({ data: z.array(GlobalTag) }) },
});

export const createGlobalTag = post('/api/messages/admin/global-tags', {
  summary: 'Add a tag to the library.',
  auth: 'admin',
  body: z.strictObject({ label, color: z._default(hexColor, DEFAULT_TAG_COLOR) }),
  replies: { 201: tagReply },
});

export const updateGlobalTag = patch('/api/messages/admin/global-tags/{id}', {
  summary: 'Rename or recolor a tag for every fan who has it.',
  auth: 'admin',
  params: byId,
  body: z.strictObject({ label: z.optional(label), color: z.optional(hexColor) }),
  replies: { 200: tagReply },
  errors: ['tag_not_found'],
});

export const deleteGlobalTag = del('/api/messages/admin/global-tags/{id}', {
  summary: 'Remove a tag from the library and from every fan.',
  auth: 'admin',
  params: byId,
  replies: { 200: dataOf({ deleted: z.literal(true) }) },
  errors: ['tag_not_found'],
});
