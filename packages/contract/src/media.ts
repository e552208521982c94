import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { timestamp } from './primitives.ts';

/** What a message and an upload may carry. */
export const ATTACHMENTS_MAX = 20;
/** Bytes: of a picture, and of a video, an audio file or any other. */
export const IMAGE_MAX_BYTES = 25 * 1024 * 1024;
export const FILE_MAX_BYTES = 600 * 1024 * 1024;
/** A picture's width times height; what is larger is refused before it is decoded. */
export const IMAGE_MAX_PIXELS = 50_000_000;
/** A file's name, in UTF-16 units; longer ones are cut before their extension. */
export const FILENAME_MAX_CHARS = 200;

/** Seconds that a media URL works at most. It checks again who asks; clients fetch a new one with the message. */
export const MEDIA_URL_SECONDS = 300;

export const AttachmentType = z.enum(['image', 'video', 'audio', 'file']);
export type AttachmentType = z.infer<typeof AttachmentType>;

const attachmentFields = {
  id: z.string(),
  type: AttachmentType,
  /** A short-lived URL below this server; null where the viewer may not have the file. */
  url: z.nullable(z.string()),
  /** Of pictures: at most 800 pixels wide and high. */
  thumbnail_url: z.nullable(z.string()),
  filename: z.nullable(z.string()),
  /** Bytes. */
  size: z.nullable(z.int()),
  mime_type: z.nullable(z.string()),
  /** Pixels as shown; null where unknown. They reserve the picture's place before it has loaded. */
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
  is_paid: z.boolean(),
  product_id: z.nullable(z.string()),
  /** USD with at most two decimals: what this message asks, whatever the product costs by now. */
  price: z.nullable(z.number()),
  title: z.nullable(z.string()),
  description: z.nullable(z.string()),
  /** The blurred preview that a fan sees before buying. */
  preview_url: z.nullable(z.string()),
};

/** A file or a paid product inside a message, as staff see it. */
export const Attachment = z
  .object({
    ...attachmentFields,
    preview_s3_key: z.nullable(z.string()),
    full_s3_key: z.nullable(z.string()),
    /** When the fan bought it; null when not, or no more. */
    purchased_at: z.nullable(timestamp),
  })
  .check(z.meta({ id: 'Attachment' }));
export type Attachment = z.infer<typeof Attachment>;

/** The same as a fan sees it: `locked` until bought, and then without `url`; no storage keys at any time. */
export const FanVisibleAttachment = z
  .object({ ...attachmentFields, locked: z.boolean() })
  .check(z.meta({ id: 'FanVisibleAttachment' }));
export type FanVisibleAttachment = z.infer<typeof FanVisibleAttachment>;

/** Multipart: `conversation_id`, then `files`, repeated. Refused files fail the whole upload and leave nothing. */
export const uploadFiles = endpoint({
  method: 'POST',
  path: '/api/messages/admin/upload-multiple',
  summary:
    'Upload files for a message in a conversation: multipart with `conversation_id` first, then repeated `files`. They are deleted if no message uses them within a day.',
  auth: 'admin',
  permission: 'can_manage_messages',
  upload: true,
  replies: { 200: z.object({ attachments: z.array(Attachment) }) },
  errors: ['conversation_not_found', 'invalid_file', 'payload_too_large', 'storage_full'],
});
