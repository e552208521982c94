import * as z from 'zod/mini';
import { post } from './endpoint.ts';
import { namedObject, timestamp } from './primitives.ts';

/** The maximum number of attachments in one message or upload. */
export const ATTACHMENTS_MAX = 20;
/** The maximum size of a picture, and of a video, audio or other file, in bytes. */
export const IMAGE_MAX_BYTES = 25 * 1024 * 1024;
export const FILE_MAX_BYTES = 600 * 1024 * 1024;
/** The maximum number of pixels of a picture. Larger pictures are refused before decoding. */
export const IMAGE_MAX_PIXELS = 50_000_000;
/** The longest file name, in UTF-16 units. Longer names are shortened before the extension. */
export const FILENAME_MAX_CHARS = 200;

/**
 * The maximum number of seconds until a media URL expires; a new URL is valid for at least half as long. Access is checked on
 * every request. Clients get a new URL by fetching the message again.
 */
export const MEDIA_URL_SECONDS = 300;

export const AttachmentType = z.enum(['image', 'video', 'audio', 'file']);
export type AttachmentType = z.infer<typeof AttachmentType>;

/** The maximum number of files in a product, and their maximum total size in bytes. */
export const BUNDLE_FILES_MAX = 20;
export const BUNDLE_MAX_BYTES = 2 * 1024 * 1024 * 1024;

export const BundleFileType = z.enum(['image', 'video', 'audio']);
export type BundleFileType = z.infer<typeof BundleFileType>;

/** A file of a product: part of a bundle, or the product's only picture. */
export const BundleFile = namedObject('BundleFile', {
  id: z.string(),
  type: BundleFileType,
  /** Seconds, for video and audio; missing if unknown. */
  duration: z.optional(z.number()),
  /** Whether fans see it before buying. */
  free: z.boolean(),
  /** A short-lived URL, like an attachment's; null while the file is locked. */
  url: z.nullable(z.string()),
  /** A small picture of the file or, if it has none, of the product. While the file is locked: the product's blurred preview. */
  preview_url: z.string(),
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
});
export type BundleFile = z.infer<typeof BundleFile>;

const attachmentFields = {
  id: z.string(),
  type: AttachmentType,
  /** A short-lived URL on this server; null if the viewer has no access to the file. */
  url: z.nullable(z.string()),
  /** For pictures only; at most 800 pixels wide and high. */
  thumbnail_url: z.nullable(z.string()),
  filename: z.nullable(z.string()),
  /** Bytes. */
  size: z.nullable(z.int()),
  mime_type: z.nullable(z.string()),
  /** The displayed size in pixels, so that clients can reserve space before the picture loads; null if unknown. */
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
  is_paid: z.boolean(),
  product_id: z.nullable(z.string()),
  /** The price in this message, in USD with at most two decimals; independent of the current catalog price. */
  price: z.nullable(z.number()),
  title: z.nullable(z.string()),
  description: z.nullable(z.string()),
  /** The blurred preview that a fan sees before buying. */
  preview_url: z.nullable(z.string()),
  /** The product's files as they were when the message was sent; missing for an upload. */
  media: z.optional(z.array(BundleFile)),
};

/** A file or a paid product inside a message, as staff see it. */
export const Attachment = namedObject('Attachment', {
  ...attachmentFields,
  preview_s3_key: z.nullable(z.string()),
  full_s3_key: z.nullable(z.string()),
  /** When the fan bought it; null if the fan never did or was refunded. */
  purchased_at: z.nullable(timestamp),
});
export type Attachment = z.infer<typeof Attachment>;

/** An attachment as the fan sees it: without storage keys, and without `url` while `locked`. */
export const FanVisibleAttachment = namedObject('FanVisibleAttachment', {
  ...attachmentFields,
  locked: z.boolean(),
});
export type FanVisibleAttachment = z.infer<typeof FanVisibleAttachment>;

/** Multipart: `conversation_id` and repeated `files`, in any order. If one file is refused, none is stored. */
export const uploadFiles = post('/api/messages/admin/upload-multiple', {
  summary:
    'Upload files for a message in a conversation: multipart with `conversation_id` and repeated `files`, in any order. They are deleted if no message uses them within a day.',
  auth: 'admin',
  permission: 'can_manage_messages',
  upload: true,
  replies: { 200: z.object({ attachments: z.array(Attachment) }) },
  errors: ['conversation_not_found', 'invalid_file', 'payload_too_large', 'storage_full'],
});
