import * as z from 'zod/mini';

export const AttachmentType = z.enum(['image', 'video', 'audio', 'file']);
export type AttachmentType = z.infer<typeof AttachmentType>;

/** A file or a paid product inside a message, as staff see it. */
export const Attachment = z
  .object({
    id: z.string(),
    type: AttachmentType,
    url: z.nullable(z.string()),
    thumbnail_url: z.nullable(z.string()),
    filename: z.nullable(z.string()),
    /** Bytes. */
    size: z.nullable(z.int()),
    mime_type: z.nullable(z.string()),
  })
  .check(z.meta({ id: 'Attachment' }));
export type Attachment = z.infer<typeof Attachment>;
