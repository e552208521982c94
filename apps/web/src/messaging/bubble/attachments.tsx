import { bundleOf, bundleText, galleryId } from '@stagedoor/browser/bundles';
import { formatClock } from '@stagedoor/browser/format';
import { lazyPart } from '@stagedoor/browser/lazy-part';
import { formatPrice } from '@stagedoor/browser/money';
import { useMediaUrl } from '@stagedoor/browser/use-media-url';
import type { Attachment } from '@stagedoor/contract/media';
import { CircleCheck, LockKeyhole, Pause, Play } from 'lucide-react';
import { type KeyboardEvent, Suspense, useRef, useState } from 'react';
import { exactTimeOf } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { localPicture } from '../attachments/local-pictures.ts';
import { FileRow, Unplayable, Video } from './file-attachments.tsx';
import { Picture } from './picture.tsx';
import { boxOf, columnsOf } from './picture-size.ts';

/** Actions that attachments need from their conversation. */
export interface AttachmentHandlers {
  /** Opens a picture at full size; undefined while the message is being sent. */
  onOpen: ((attachmentId: string) => void) | undefined;
  /** Refetches the messages to renew expired URLs. */
  refresh: () => Promise<void>;
  onDownload: (attachmentId: string) => Promise<void>;
}

interface AttachmentsProps extends AttachmentHandlers {
  attachments: readonly Attachment[];
  /** Whether the message also has text. The attachments then have a minimum width. */
  hasText: boolean;
}

/** A message's attachments: products first, then the album of pictures, then other files. */
export function Attachments(props: AttachmentsProps) {
  const { attachments, hasText, onOpen, refresh, onDownload } = props;
  const products = attachments.filter(({ product_id }) => product_id !== null);
  const files = attachments.filter(({ product_id }) => product_id === null);
  const pictures = files.filter(({ type }) => type === 'image');
  const others = files.filter(({ type }) => type !== 'image');
  return (
    <div className={classes('flex w-fit max-w-full flex-col gap-1', hasText && 'min-w-[220px]')}>
      {products.length > 0 && (
        <div style={{ width: CARD_WIDTH }} className="flex max-w-full flex-col gap-1">
          {products.map((attachment) => (
            <PaidCard
              key={attachment.id}
              attachment={attachment}
              onOpen={onOpen}
              refresh={refresh}
            />
          ))}
        </div>
      )}
      {pictures.length > 0 && <Album pictures={pictures} onOpen={onOpen} refresh={refresh} />}
      {others.map((attachment) => {
        const shared = { attachment, refresh };
        if (attachment.type === 'video') return <Video key={attachment.id} {...shared} />;
        if (attachment.type === 'audio') return <AudioPlayer key={attachment.id} {...shared} />;
        return (
          <FileRow key={attachment.id} {...shared} onDownload={() => onDownload(attachment.id)} />
        );
      })}
    </div>
  );
}

interface AlbumProps extends Omit<AttachmentHandlers, 'onDownload'> {
  pictures: readonly Attachment[];
}

function Album({ pictures, onOpen, refresh }: AlbumProps) {
  const [only] = pictures;
  if (only && pictures.length === 1) {
    const box = boxOf(only.width, only.height);
    return (
      <Picture
        attachment={only}
        label={only.filename ?? t('photo')}
        onOpen={onOpen && (() => onOpen(only.id))}
        refresh={refresh}
        style={{ width: box.width, aspectRatio: box.width / box.height }}
        className="rounded-[11px]"
      />
    );
  }
  const columns = columnsOf(pictures.length);
  return (
    <ul
      aria-label={t('{count, plural, one {# photo} other {# photos}}', { count: pictures.length })}
      className="grid w-[340px] max-w-full grid-cols-6 gap-1 overflow-hidden rounded-[11px]"
    >
      {pictures.map((picture, index) => (
        <li key={picture.id} className={SPANS[columns[index] ?? 3]}>
          <Picture
            attachment={picture}
            label={t('{name}, {index} of {count}', {
              name: picture.filename ?? t('photo'),
              index: index + 1,
              count: pictures.length,
            })}
            onOpen={onOpen && (() => onOpen(picture.id))}
            refresh={refresh}
            className={classes('w-full', columns[index] === 1 ? 'aspect-2/1' : 'aspect-square')}
          />
        </li>
      ))}
    </ul>
  );
}

/** The class for a picture's width in the six-column grid, keyed by the number of pictures in its row. */
const SPANS: Readonly<Record<number, string>> = {
  1: 'col-span-6',
  2: 'col-span-3',
  3: 'col-span-2',
};

/** How far an arrow key seeks, in seconds. */
const STEP_S = 5;

interface AudioPlayerProps {
  attachment: Attachment;
  /** Refetches the message to renew expired URLs. */
  refresh: () => Promise<void>;
}

/** An audio player that shows its position and length. Starting it pauses all other players. */
function AudioPlayer({ attachment, refresh }: AudioPlayerProps) {
  const { id, url, filename } = attachment;
  const media = useMediaUrl(localPicture(id) ?? url, refresh);
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [position, setPosition] = useState(0);
  const [length, setLength] = useState(0);
  if (media.isFailed)
    return <Unplayable text={t('Couldn’t load the audio')} onRetry={media.retry} />;
  const toggle = () => {
    const element = audio.current;
    if (!element?.paused) return element?.pause();
    for (const other of document.querySelectorAll('audio')) other.pause();
    // Playing fails if the file does not load, which `onError` reports.
    element.play().catch(() => setPlaying(false));
  };
  const moveTo = (seconds: number) => {
    if (audio.current) audio.current.currentTime = Math.min(Math.max(0, seconds), length);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const forward = document.dir === 'rtl' ? -STEP_S : STEP_S;
    const step = { ArrowRight: forward, ArrowLeft: -forward }[event.key];
    if (step !== undefined) moveTo(position + step);
    else if (event.key === ' ') toggle();
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups form fields
    <div
      role="group"
      aria-label={filename ?? t('Audio')}
      className="flex h-11 w-[280px] max-w-full items-center gap-2 pe-2"
    >
      <IconButton
        label={isPlaying ? t('Pause') : t('Play')}
        onClick={toggle}
        className="size-9! rounded-full bg-accent text-white! hover:bg-accent-hover"
        icon={
          isPlaying ? (
            <Pause fill="currentColor" strokeWidth={0} />
          ) : (
            <Play fill="currentColor" strokeWidth={0} />
          )
        }
      />
      <input
        type="range"
        aria-label={t('Position', 'audio')}
        aria-valuetext={t('{time} of {length}', {
          time: formatClock(position),
          length: formatClock(length),
        })}
        min={0}
        max={length}
        step="any"
        value={position}
        onChange={(event) => moveTo(event.currentTarget.valueAsNumber)}
        onKeyDown={onKeyDown}
        className="h-1 min-w-0 flex-1 cursor-pointer accent-accent"
      />
      <span aria-hidden="true" className="shrink-0 text-meta text-fg-2 tabular-nums">
        {formatClock(position)} / {formatClock(length)}
      </span>
      {/* biome-ignore lint/a11y/useMediaCaption: media in messages has no captions */}
      <audio
        key={media.attempt}
        ref={audio}
        preload="metadata"
        src={media.src ?? undefined}
        onLoadedMetadata={({ currentTarget }) => setLength(currentTarget.duration)}
        onTimeUpdate={({ currentTarget }) => setPosition(currentTarget.currentTime)}
        onSeeking={({ currentTarget }) => setPosition(currentTarget.currentTime)}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onError={media.onError}
      >
        {t('Your browser does not support the audio element.')}
      </audio>
    </div>
  );
}

interface PaidCardProps {
  attachment: Attachment;
  onOpen: AttachmentHandlers['onOpen'];
  refresh: () => Promise<void>;
}

/** The width of a product card in CSS pixels. */
const CARD_WIDTH = 280;
const BundleTiles = lazyPart(async () => (await import('./bundle-tiles.tsx')).BundleTiles);

/** A product card as the fan sees it, locked until bought. Staff can always open the full content. */
function PaidCard({ attachment, onOpen, refresh }: PaidCardProps) {
  const { title, price, purchased_at, preview_url } = attachment;
  const isBought = purchased_at !== null;
  const name = title ?? t('Untitled');
  const bundle = bundleOf(attachment);
  const open = (fileId?: string) =>
    onOpen?.(fileId === undefined ? attachment.id : galleryId(attachment.id, fileId));
  return (
    <div className="w-full overflow-hidden rounded-[11px] border border-line bg-surface">
      <div className="relative">
        <Picture
          // Locked and unlocked are two different images, so each gets its own key.
          key={isBought ? 'bought' : 'locked'}
          attachment={isBought ? attachment : { ...attachment, thumbnail_url: preview_url }}
          label={name}
          onOpen={onOpen && (() => open(bundle[0]?.id))}
          refresh={refresh}
          className="aspect-4/3 w-full"
        />
        {!isBought && (
          <span className="pointer-events-none absolute inset-0 flex items-center justify-center">
            <span className="flex size-11 items-center justify-center rounded-full bg-[#000a] text-white">
              <LockKeyhole role="img" aria-label={t('Locked')} size={20} />
            </span>
          </span>
        )}
      </div>
      <div className="flex items-start gap-3 px-3 py-2 text-control">
        <div className="min-w-0 flex-1">
          <p dir="auto" className="font-medium wrap-anywhere">
            {name}
          </p>
          {bundle.length > 0 && (
            <p className="text-meta text-fg-2 tabular-nums">{bundleText(bundle)}</p>
          )}
          {isBought && (
            <span
              title={exactTimeOf(purchased_at)}
              className="mt-1 inline-flex items-center gap-1 rounded-chip bg-good-bg px-1.5 text-meta leading-5 font-medium text-good"
            >
              <CircleCheck size={12} strokeWidth={2} />
              {t('Purchased')}
            </span>
          )}
        </div>
        {price !== null && (
          <span className="shrink-0 font-semibold tabular-nums">{formatPrice(price)}</span>
        )}
      </div>
      {bundle.length > 0 && (
        <Suspense fallback={<div className="h-17" />}>
          <BundleTiles files={bundle} onOpen={onOpen && open} refresh={refresh} />
        </Suspense>
      )}
    </div>
  );
}
