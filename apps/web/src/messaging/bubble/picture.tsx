import { useMediaUrl } from '@stagedoor/browser/use-media-url';
import type { Attachment } from '@stagedoor/contract/media';
import { ImageOff, RotateCw } from 'lucide-react';
import type { CSSProperties } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { localPicture } from '../attachments/local-pictures.ts';

interface PictureProps {
  attachment: Attachment;
  label: string;
  /** The reserved box, so that nothing shifts when the picture loads. */
  style?: CSSProperties | undefined;
  className?: string;
  onOpen: (() => void) | undefined;
  refresh: () => Promise<void>;
}

/** A thumbnail in its reserved box; clicking it opens the picture at full size. */
export function Picture({ attachment, label, style, className, onOpen, refresh }: PictureProps) {
  const { id, thumbnail_url, url, product_id } = attachment;
  const media = useMediaUrl(localPicture(id) ?? thumbnail_url ?? url, refresh);
  const frame = classes('relative block max-w-full overflow-hidden bg-surface-2', className);
  if (media.isFailed) {
    return (
      <button type="button" onClick={media.retry} style={style} className={frame}>
        <span className="absolute inset-0 flex flex-col items-center justify-center gap-1.5 p-2 text-center text-meta text-fg-2">
          <ImageOff size={20} />
          {t('Failed to load image')}
          <span className="inline-flex items-center gap-1 font-medium text-accent-text">
            <RotateCw size={12} strokeWidth={2} />
            {t('Retry')}
          </span>
        </span>
      </button>
    );
  }
  return (
    <button
      type="button"
      aria-label={
        product_id !== null
          ? t('View the full image of {name}', { name: label })
          : t('View {name}', { name: label })
      }
      disabled={!onOpen}
      onClick={onOpen}
      style={style}
      className={classes(frame, onOpen && 'cursor-zoom-in')}
    >
      {media.src !== null && (
        <img
          key={media.attempt}
          src={media.src}
          alt=""
          draggable={false}
          decoding="async"
          onError={media.onError}
          className="size-full object-cover"
        />
      )}
    </button>
  );
}
