import type { AttachmentType } from '@stagedoor/contract/media';

/** An attachment as a message keeps it, in `messages.attachments`. Keys are the storage's; money is in cents. */
export interface StoredAttachment {
  readonly id: string;
  readonly type: AttachmentType;
  readonly key: string;
  readonly thumbnail_key: string | null;
  readonly filename: string;
  /** Bytes. */
  readonly size: number;
  readonly mime_type: string;
  readonly width: number | null;
  readonly height: number | null;
  /** Of a product, as it was when it was sent. */
  readonly product: {
    readonly id: string;
    readonly title: string;
    readonly description: string | null;
    /** Null for what the fan owned already: it was sent again, free. */
    readonly price_cents: number | null;
    readonly preview_key: string;
  } | null;
}
