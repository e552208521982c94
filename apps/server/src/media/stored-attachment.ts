import type { AttachmentType, BundleFileType } from '@stagedoor/contract/media';

/** A file of a product. Pictures have a thumbnail; videos have one if the browser made it. */
export interface StoredBundleFile extends Omit<StoredAttachment, 'product'> {
  readonly type: BundleFileType;
  /** Seconds; null if unknown. */
  readonly duration: number | null;
  readonly free: boolean;
}

/** An attachment as stored in `messages.attachments`. Keys are storage keys; money is in cents. */
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
  /** The product as it was when sent; null for an upload. */
  readonly product: {
    readonly id: string;
    readonly title: string;
    readonly description: string | null;
    /** Null if the fan already owned the product, which was then sent again for free. */
    readonly price_cents: number | null;
    readonly preview_key: string;
    /** Missing: the attachment itself is the product's only file. */
    readonly media?: readonly StoredBundleFile[];
  } | null;
}
