import { useMediaUrl } from '@stagedoor/browser/use-media-url';
import { ImageOff } from 'lucide-react';
import type { CSSProperties } from 'react';
import { t } from '../lib/text/i18n.ts';
import { classes } from './classes.ts';

interface PictureProps {
  url: string;
  /** Refetches the data that contains the URL, to replace an expired URL. */
  refresh: () => Promise<void>;
  className?: string;
  style?: CSSProperties;
}

/** A picture sized by the caller. It has no alternative text, because its title is next to it. */
export function Picture({ url, refresh, className, style }: PictureProps) {
  const media = useMediaUrl(url, refresh);
  return (
    <span
      style={style}
      className={classes('relative block overflow-hidden bg-surface-2', className)}
    >
      {media.isFailed ? (
        <span className="absolute inset-0 flex flex-col items-center justify-center gap-1.5 p-2 text-center text-meta text-fg-2">
          <ImageOff size={20} />
          {t('Failed to load image')}
        </span>
      ) : (
        <img
          key={media.attempt}
          src={media.src ?? undefined}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={media.onError}
          className="size-full object-cover"
        />
      )}
    </span>
  );
}
