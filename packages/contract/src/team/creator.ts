import * as z from 'zod/mini';
import { get, managed, patch, post } from '../endpoint.ts';
import { lookupId, namedObject, requiredText, text } from '../primitives.ts';

/** The largest creator picture, in bytes. */
export const AVATAR_MAX_BYTES = 5 * 1024 * 1024;
/** The media types allowed for the creator's picture. */
export const AVATAR_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'] as const;

/** The maximum length of the creator's name, in UTF-16 units. */
export const CREATOR_NAME_MAX_CHARS = 100;

/** The creator as fans see them. */
export const CreatorProfile = namedObject('CreatorProfile', {
  id: z.string(),
  display_name: z.string(),
  /** A public URL, which fans see. Null until a picture is saved. */
  avatar_url: z.nullable(z.string()),
});
export type CreatorProfile = z.infer<typeof CreatorProfile>;

export const getCreatorProfile = get('/api/creator', {
  summary: 'Get the creator as fans see them.',
  auth: 'admin',
  replies: { 200: z.object({ data: CreatorProfile }) },
});

export const updateCreator = patch('/api/creator', {
  summary: 'Change the creator’s display name.',
  ...managed,
  body: z.strictObject({ display_name: requiredText(CREATOR_NAME_MAX_CHARS) }),
  replies: { 200: z.object({ data: CreatorProfile }) },
});

/** Multipart: `avatar` and `userId`. Authenticated by the sign-in cookie instead of an Authorization header. */
export const uploadAvatar = post('/api/avatar/upload', {
  summary: 'Upload a picture for the creator: multipart with `avatar` and `userId`.',
  auth: 'avatar_cookie',
  permission: 'can_manage_admins',
  upload: true,
  replies: { 200: z.object({ avatar: z.object({ s3_key: z.string(), url: z.string() }) }) },
  errors: ['invalid_file', 'payload_too_large', 'storage_full'],
});

/** Authenticated by the sign-in cookie instead of an Authorization header. */
export const updateAvatar = post('/api/customer/update-avatar', {
  summary:
    'Set an uploaded picture as the creator’s picture: `avatarUrl` is the key that the upload returned.',
  auth: 'avatar_cookie',
  permission: 'can_manage_admins',
  body: z.strictObject({ userId: lookupId, avatarUrl: text(300) }),
  replies: { 200: z.object({ data: CreatorProfile }) },
});
