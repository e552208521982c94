import type { BundleFile, BundleFileType } from '@stagedoor/contract/media';
import { formatClock } from './format.ts';
import { locale, t } from './i18n.ts';

/** The attachment fields that the gallery uses. Attachments for staff and for fans have all of them. */
interface Shown {
  readonly id: string;
  readonly type: string;
  readonly url: string | null;
  readonly title: string | null;
  readonly filename: string | null;
  readonly product_id: string | null;
  readonly media?: readonly BundleFile[] | undefined;
}

/** A picture, video or audio file in the gallery, which opens over the page. */
export interface GalleryItem {
  /** The attachment's id, or {@link galleryId} for a bundle's file. */
  readonly id: string;
  readonly type: BundleFileType;
  readonly url: string | null;
  readonly name: string | null;
}

/** Returns a unique id for a bundle's file. The file's id alone is ambiguous if a message contains the same bundle twice. */
export const galleryId = (attachmentId: string, fileId: string) => `${attachmentId}/${fileId}`;

/** Returns the files of a bundle; an empty list for an upload or for a product whose only file is its image. */
export function bundleOf({ product_id, media = [] }: Pick<Shown, 'product_id' | 'media'>) {
  return media.filter(({ id }) => id !== product_id);
}

/** Returns everything in the attachments that the gallery can open, in order. */
export function galleryOf(attachments: readonly Shown[]): GalleryItem[] {
  return attachments.flatMap((attachment): GalleryItem[] => {
    const { id, type, url, title, filename } = attachment;
    const files = bundleOf(attachment).filter((file) => file.url !== null);
    if (files.length > 0)
      return files.map((file) => ({ ...file, id: galleryId(id, file.id), name: title }));
    return type === 'image' && url !== null ? [{ id, type, url, name: title ?? filename }] : [];
  });
}

const list = new Intl.ListFormat(locale, { type: 'unit' });

/** Summarizes files by type and total duration: '5 pictures, 2 videos · 3:20'. */
export function bundleText(files: readonly Pick<BundleFile, 'type' | 'duration'>[]): string {
  const countOf = (type: BundleFileType) => files.filter((file) => file.type === type).length;
  const [pictures, videos, sounds] = [countOf('image'), countOf('video'), countOf('audio')];
  const kinds = [
    pictures > 0 && t('{count, plural, one {# picture} other {# pictures}}', { count: pictures }),
    videos > 0 && t('{count, plural, one {# video} other {# videos}}', { count: videos }),
    sounds > 0 && t('{count, plural, one {# recording} other {# recordings}}', { count: sounds }),
  ].filter((text) => text !== false);
  const seconds = files.reduce((sum, { duration = 0 }) => sum + duration, 0);
  return seconds > 0 ? `${list.format(kinds)} · ${formatClock(seconds)}` : list.format(kinds);
}
