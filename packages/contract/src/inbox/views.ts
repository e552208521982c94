import * as z from 'zod/mini';
import { del, get, post } from '../endpoint.ts';
import { byId, dataOf, lookupId, namedObject, requiredText, text } from '../primitives.ts';
import { InboxFilter, InboxSort } from './conversations.ts';

/** The maximum number of saved views per admin. */
export const VIEWS_MAX = 20;
export const VIEW_NAME_MAX = 60;

const viewFields = {
  name: requiredText(VIEW_NAME_MAX, 'Enter a name for the view'),
  filter: InboxFilter,
  sort: InboxSort,
  /** A library tag's id, or a label; null for no filter. */
  tag: z.nullable(text(128)),
  /** The search query, whose results replace the list; empty for none. */
  search: text(200),
};
/** The id of a segment; null for no filter. */
const segment = z.nullable(lookupId);

/** A named combination of inbox filters and sort order, saved by one admin for themselves. */
export const SavedView = namedObject('SavedView', {
  id: z.string(),
  ...viewFields,
  segment,
  /** The name of the view's segment if the segment was deleted; otherwise null. */
  lost_segment: z.nullable(z.string()),
});
export type SavedView = z.infer<typeof SavedView>;

const PATH = '/api/messages/admin/views';
const viewReply = z.object({ data: SavedView });

export const listViews = get(PATH, {
  auth: 'admin',
  summary: 'The caller’s saved views, oldest first.',
  replies: { 200: z.object({ data: z.array(SavedView) }) },
});

export const saveView = post(PATH, {
  isWork: false,
  auth: 'admin',
  summary: `Save an inbox view for the caller; at most ${VIEWS_MAX}. A view with the same name is replaced.`,
  body: z.strictObject({ ...viewFields, segment: z._default(segment, null) }),
  replies: { 200: viewReply },
  errors: ['too_many_views', 'segment_not_found'],
});

export const deleteView = del(`${PATH}/{id}`, {
  isWork: false,
  auth: 'admin',
  summary: 'Delete one of the caller’s saved views.',
  params: byId,
  replies: { 200: dataOf({ deleted: z.literal(true) }) },
  errors: ['view_not_found'],
});
