import type { GalleryItem } from '@stagedoor/browser/bundles';
import { useLightbox } from '@stagedoor/browser/use-lightbox';
import { useMediaUrl } from '@stagedoor/browser/use-media-url';
import { ChevronLeft, ChevronRight, RotateCw, X } from 'lucide-react';
import { createPortal } from 'react-dom';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';

interface LightboxProps {
  /** Everything that the arrow keys step through. */
  pictures: readonly GalleryItem[];
  openId: string;
  refresh: () => Promise<void>;
  onClose: () => void;
}

const button = 'text-white! hover:bg-white/15! coarse:size-11';
/** The buttons sit beside the picture, or on top of it on narrow screens. */
const side =
  'w-12 justify-self-center text-center max-md:absolute max-md:top-1/2 max-md:z-1 max-md:[&>button]:rounded-full max-md:[&>button]:bg-[#0008]';

/** A picture, video or sound over the whole page. Arrow keys step through the conversation's media; Escape closes it. */
export function Lightbox({ pictures, openId, refresh, onClose }: LightboxProps) {
  const { index, picture, go, dialog } = useLightbox(pictures, openId, onClose);
  const name = picture?.name ?? t('Photo');
  return createPortal(
    <dialog
      {...dialog}
      aria-label={name}
      className="m-0 h-dvh max-h-none w-screen max-w-none bg-[#0b0d10f2] p-0 text-white open:grid grid-cols-[auto_minmax(0,1fr)_auto] grid-rows-[auto_minmax(0,1fr)] items-center backdrop:bg-transparent"
    >
      <header className="col-span-3 flex items-center gap-3 py-2 pe-2 ps-4 text-control">
        <span dir="auto" className="min-w-0 truncate font-medium">
          {name}
        </span>
        <span role="status" className="flex-1 text-meta text-white/75 tabular-nums">
          {pictures.length > 1 &&
            t('{index} of {count}', { index: index + 1, count: pictures.length })}
        </span>
        <IconButton
          label={t('Close')}
          onClick={onClose}
          className={button}
          icon={<X size={20} />}
        />
      </header>
      <span className={`${side} start-0`}>
        {index > 0 && (
          <IconButton
            label={t('Previous Photo')}
            onClick={() => go(-1)}
            className={button}
            icon={<ChevronLeft size={24} className="rtl:-scale-x-100" />}
          />
        )}
      </span>
      {/* biome-ignore lint/a11y: a click outside the picture closes it; Escape is the keyboard equivalent */}
      <div
        onClick={(event) => {
          if (event.target === event.currentTarget) onClose();
        }}
        className="flex size-full items-center justify-center pb-4 max-md:col-span-3"
      >
        {picture && <Large key={picture.id} picture={picture} name={name} refresh={refresh} />}
      </div>
      <span className={`${side} end-0`}>
        {index < pictures.length - 1 && (
          <IconButton
            label={t('Next Photo')}
            onClick={() => go(1)}
            className={button}
            icon={<ChevronRight size={24} className="rtl:-scale-x-100" />}
          />
        )}
      </span>
    </dialog>,
    document.body,
  );
}

interface LargeProps {
  picture: GalleryItem;
  name: string;
  refresh: () => Promise<void>;
}

function Large({ picture, name, refresh }: LargeProps) {
  const media = useMediaUrl(picture.url, refresh);
  if (media.isFailed) {
    return (
      <div className="flex flex-col items-center gap-3">
        <p role="alert">
          {picture.type === 'image' ? t('Failed to load image') : t('Couldn’t load the file')}
        </p>
        <Button onClick={media.retry} icon={<RotateCw size={14} />}>
          {t('Retry')}
        </Button>
      </div>
    );
  }
  const shared = {
    src: media.src ?? undefined,
    'aria-label': name,
    controls: true,
    onError: media.onError,
  };
  if (picture.type === 'video')
    return <video key={media.attempt} {...shared} className="max-h-full max-w-full" />;
  if (picture.type === 'audio')
    return <audio key={media.attempt} {...shared} className="h-14 w-[min(480px,90%)]" />;
  return (
    <img
      key={media.attempt}
      src={media.src ?? undefined}
      alt={name}
      onError={media.onError}
      className="max-h-full max-w-full rounded-[6px] object-contain"
    />
  );
}
