import { formatBytes } from '@stagedoor/browser/format';
import { useMediaUrl } from '@stagedoor/browser/use-media-url';
import type { FanVisibleAttachment } from '@stagedoor/contract/media';
import { Download, File, RotateCw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { boxOf } from '../../lib/media-box.ts';
import { classes } from '../../ui/classes.ts';
import { Picture } from '../../ui/picture.tsx';
import { Spinner } from '../../ui/spinner.tsx';

/** The callbacks that attachments get from the conversation. */
export interface AttachmentHandlers {
  onOpenPicture: (attachmentId: string) => void;
  /** Refetches the messages, because URLs expire. */
  refresh: () => Promise<void>;
  onDownload: (attachmentId: string) => Promise<void>;
  /** Renders a product that is offered to the fan or that the fan owns. */
  offer: (messageId: string, attachment: FanVisibleAttachment) => ReactNode;
}

interface AttachmentsProps {
  messageId: string;
  attachments: readonly FanVisibleAttachment[];
  handlers: AttachmentHandlers;
}

/** A message's attachments: first products, then pictures as an album, then other files. */
export function Attachments({ messageId, attachments, handlers }: AttachmentsProps) {
  const files = attachments.filter(({ product_id }) => product_id === null);
  const pictures = files.filter(({ type }) => type === 'image');
  return (
    <>
      {attachments
        .filter(({ product_id }) => product_id !== null)
        .map((attachment) => handlers.offer(messageId, attachment))}
      {pictures.length > 0 && <Album pictures={pictures} handlers={handlers} />}
      {files.map((attachment) => {
        const shared = { attachment, refresh: handlers.refresh };
        if (attachment.type === 'video') return <Video {...shared} key={attachment.id} />;
        if (attachment.type === 'audio') return <Audio {...shared} key={attachment.id} />;
        if (attachment.type === 'image') return null;
        return (
          <FileRow
            key={attachment.id}
            attachment={attachment}
            onDownload={() => handlers.onDownload(attachment.id)}
          />
        );
      })}
    </>
  );
}

interface AlbumProps {
  pictures: readonly FanVisibleAttachment[];
  handlers: AttachmentHandlers;
}

/** A single picture in its own aspect ratio; several as a grid of squares. */
function Album({ pictures, handlers }: AlbumProps) {
  const [only] = pictures;
  if (only && pictures.length === 1) {
    const box = boxOf(only.width, only.height);
    return (
      <Picture
        url={only.thumbnail_url ?? only.url}
        alt={only.filename ?? t('Photo')}
        refresh={handlers.refresh}
        onOpen={() => handlers.onOpenPicture(only.id)}
        style={{ width: box.width, aspectRatio: box.width / box.height }}
        className="rounded-bubble"
      />
    );
  }
  return (
    <ul
      aria-label={t('{count, plural, one {# photo} other {# photos}}', { count: pictures.length })}
      className="grid w-[320px] max-w-full grid-cols-2 gap-0.5 overflow-hidden rounded-bubble"
    >
      {pictures.map((picture, index) => {
        const isWide = index === 0 && pictures.length % 2 === 1;
        return (
          <li key={picture.id} className={isWide ? 'col-span-2' : undefined}>
            <Picture
              url={picture.thumbnail_url ?? picture.url}
              alt={t('{name}, {index} of {count}', {
                name: picture.filename ?? t('Photo'),
                index: index + 1,
                count: pictures.length,
              })}
              refresh={handlers.refresh}
              onOpen={() => handlers.onOpenPicture(picture.id)}
              className={classes('w-full', isWide ? 'aspect-2/1' : 'aspect-square')}
            />
          </li>
        );
      })}
    </ul>
  );
}

interface FileProps {
  attachment: FanVisibleAttachment;
  refresh: () => Promise<void>;
}

function Video({ attachment, refresh }: FileProps) {
  const { url, thumbnail_url, filename, width, height } = attachment;
  const media = useMediaUrl(url, refresh);
  if (media.isFailed)
    return <Unplayable text={t('This video didn’t load. Try again')} onRetry={media.retry} />;
  const box = boxOf(width, height);
  return (
    // biome-ignore lint/a11y/useMediaCaption: videos that people send each other have no captions
    <video
      key={media.attempt}
      controls
      playsInline
      preload={thumbnail_url === null ? 'metadata' : 'none'}
      poster={thumbnail_url ?? undefined}
      src={media.src ?? undefined}
      aria-label={filename ?? t('Video')}
      onError={media.onError}
      style={{ width: box.width, aspectRatio: box.width / box.height }}
      className="max-w-full rounded-bubble bg-[#000]"
    >
      {t('Your browser does not support the video element.')}
    </video>
  );
}

function Audio({ attachment, refresh }: FileProps) {
  const media = useMediaUrl(attachment.url, refresh);
  if (media.isFailed)
    return <Unplayable text={t('This recording didn’t load. Try again')} onRetry={media.retry} />;
  return (
    // biome-ignore lint/a11y/useMediaCaption: recordings that people send each other have no captions
    <audio
      key={media.attempt}
      controls
      preload="metadata"
      src={media.src ?? undefined}
      aria-label={attachment.filename ?? t('Audio')}
      onError={media.onError}
      className="h-12 w-[280px] max-w-full"
    >
      {t('Your browser does not support the audio element.')}
    </audio>
  );
}

function Unplayable({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <button
      type="button"
      onClick={onRetry}
      className="flex min-h-12 w-[280px] max-w-full items-center gap-2 rounded-bubble bg-bubble-in px-4 text-control text-fg-2"
    >
      <RotateCw size={18} strokeWidth={1.75} />
      {text}
    </button>
  );
}

interface FileRowProps {
  attachment: FanVisibleAttachment;
  onDownload: () => Promise<void>;
}

function FileRow({ attachment, onDownload }: FileRowProps) {
  const { filename, size } = attachment;
  const [isBusy, setBusy] = useState(false);
  const name = filename ?? t('File');
  return (
    <button
      type="button"
      aria-label={t('Download {name}', { name })}
      aria-busy={isBusy || undefined}
      onClick={() => {
        if (isBusy) return;
        setBusy(true);
        void onDownload().finally(() => setBusy(false));
      }}
      className="flex w-[280px] max-w-full items-center gap-3 rounded-bubble bg-bubble-in p-2.5 pe-4 text-start text-fg"
    >
      <span className="flex size-11 shrink-0 items-center justify-center rounded-control bg-accent-bg text-accent-text">
        <File size={22} strokeWidth={1.75} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-control font-medium">{name}</span>
        {size !== null && (
          <span className="block text-meta text-fg-3 tabular-nums">
            <bdi>{formatBytes(size)}</bdi>
          </span>
        )}
      </span>
      {isBusy ? <Spinner /> : <Download size={18} strokeWidth={1.75} />}
    </button>
  );
}
