import type { GalleryItem } from '@stagedoor/browser/bundles';
import { useLightbox } from '@stagedoor/browser/use-lightbox';
import { useMediaUrl } from '@stagedoor/browser/use-media-url';
import { ChevronLeft, ChevronRight, X } from 'lucide-react';
import { type PointerEvent, useRef } from 'react';
import { t } from '../../lib/i18n.ts';
import { IconButton } from '../../ui/icon-button.tsx';

interface LightboxProps {
  pictures: readonly GalleryItem[];
  openId: string;
  refresh: () => Promise<void>;
  onClose: () => void;
}

/** A swipe longer than this shows the next picture or closes the lightbox. CSS pixels. */
const SWIPE_PX = 60;
const button = 'bg-[#0006] text-white! hover:bg-white/20!';

/** A full-screen picture, video or audio file. Arrow keys and swipes step through the conversation's media; Escape closes it. */
export function Lightbox({ pictures, openId, refresh, onClose }: LightboxProps) {
  const { index, picture, go, forward, dialog } = useLightbox(pictures, openId, onClose);
  const start = useRef<{ x: number; y: number } | null>(null);
  const onPointerUp = (event: PointerEvent) => {
    if (!start.current || event.pointerType === 'mouse') return;
    const dx = event.clientX - start.current.x;
    const dy = event.clientY - start.current.y;
    if (Math.abs(dx) > SWIPE_PX && Math.abs(dx) > Math.abs(dy)) go(dx > 0 ? -forward : forward);
    else if (dy > SWIPE_PX) onClose();
  };
  const name = picture?.name ?? t('Photo');
  return (
    <dialog
      {...dialog}
      aria-label={name}
      onPointerDown={({ clientX, clientY, target }) => {
        start.current = target instanceof HTMLMediaElement ? null : { x: clientX, y: clientY };
      }}
      onPointerUp={onPointerUp}
      className="m-0 h-dvh max-h-none w-screen max-w-none touch-none flex-col bg-[#0a090cf5] p-0 text-white open:flex backdrop:bg-transparent"
    >
      <header className="flex items-center gap-3 bg-[#0a090c] pt-[max(8px,env(safe-area-inset-top))] ps-4 pe-2 pb-2 text-control">
        <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
        <span role="status" className="text-meta tabular-nums">
          {pictures.length > 1 &&
            t('{index} of {count}', { index: index + 1, count: pictures.length })}
        </span>
        <IconButton label={t('Close')} onClick={onClose} className={button}>
          <X size={22} />
        </IconButton>
      </header>
      {/* biome-ignore lint/a11y: a click outside closes the picture, as Escape does by keyboard */}
      <div
        onClick={(event) => {
          if (event.target === event.currentTarget) onClose();
        }}
        className="relative flex min-h-0 flex-1 items-center justify-center pb-[max(16px,env(safe-area-inset-bottom))]"
      >
        {picture && <Large key={picture.id} picture={picture} name={name} refresh={refresh} />}
        {index > 0 && (
          <IconButton
            label={t('Previous photo')}
            onClick={() => go(-1)}
            className={`${button} absolute start-2`}
          >
            <ChevronLeft size={26} className="rtl:-scale-x-100" />
          </IconButton>
        )}
        {index < pictures.length - 1 && (
          <IconButton
            label={t('Next photo')}
            onClick={() => go(1)}
            className={`${button} absolute end-2`}
          >
            <ChevronRight size={26} className="rtl:-scale-x-100" />
          </IconButton>
        )}
      </div>
    </dialog>
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
      <button type="button" onClick={media.retry} className="min-h-11 px-4 underline">
        {picture.type === 'image'
          ? t('This photo didn’t load. Try again')
          : t('This recording didn’t load. Try again')}
      </button>
    );
  }
  const shared = {
    src: media.src ?? undefined,
    'aria-label': name,
    controls: true,
    onError: media.onError,
  };
  if (picture.type === 'video')
    return <video key={media.attempt} {...shared} playsInline className="max-h-full max-w-full" />;
  if (picture.type === 'audio')
    return <audio key={media.attempt} {...shared} className="h-14 w-[min(480px,90%)]" />;
  return (
    <img
      key={media.attempt}
      src={media.src ?? undefined}
      alt={name}
      draggable={false}
      onError={media.onError}
      className="pointer-events-none max-h-full max-w-full object-contain"
    />
  );
}
