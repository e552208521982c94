import { useMediaUrl } from '@stagedoor/browser/use-media-url';
import { ImageOff } from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';
import { t } from '../lib/i18n.ts';
import { classes } from './classes.ts';

interface PictureProps {
  url: string | null;
  alt: string;
  refresh: () => Promise<void>;
  /** Opens the picture in full size; not set if that is not possible. */
  onOpen?: (() => void) | undefined;
  className?: string | undefined;
  imageClassName?: string | undefined;
  style?: CSSProperties | undefined;
  children?: ReactNode;
}

export function Picture(props: PictureProps) {
  const { url, alt, refresh, onOpen, className, imageClassName, style, children } = props;
  const media = useMediaUrl(url, refresh);
  const shape = classes('relative block max-w-full overflow-hidden bg-surface-2', className);
  if (media.isFailed) {
    return (
      <button type="button" style={style} onClick={media.retry} className={shape}>
        <span className="absolute inset-0 flex flex-col items-center justify-center gap-1 p-2 text-meta text-fg-2">
          <ImageOff size={22} strokeWidth={1.75} />
          {t('This photo didn’t load. Try again')}
        </span>
      </button>
    );
  }
  const content = (
    <>
      <img
        key={media.attempt}
        src={media.src ?? undefined}
        alt={alt}
        loading="lazy"
        decoding="async"
        draggable={false}
        onError={media.onError}
        className={classes('absolute inset-0 size-full object-cover', imageClassName)}
      />
      {children}
    </>
  );
  if (!onOpen) {
    return (
      <span style={style} className={shape}>
        {content}
      </span>
    );
  }
  return (
    <button
      type="button"
      aria-label={t('View {name}', { name: alt })}
      style={style}
      onClick={onOpen}
      className={classes(shape, 'cursor-zoom-in')}
    >
      {content}
    </button>
  );
}
