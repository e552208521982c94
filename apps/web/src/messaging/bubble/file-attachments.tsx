import { formatBytes } from '@stagedoor/browser/format';
import { useMediaUrl } from '@stagedoor/browser/use-media-url';
import type { Attachment } from '@stagedoor/contract/media';
import { useMutation } from '@tanstack/react-query';
import { Download, File, RotateCw } from 'lucide-react';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { localPicture } from '../attachments/local-pictures.ts';
import { boxOf } from './picture-size.ts';

interface FileProps {
  attachment: Attachment;
  /** Refetches the message to renew expired URLs. */
  refresh: () => Promise<void>;
}

/** A video or sound that did not load. */
export function Unplayable({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <p className="flex min-w-60 items-center gap-3 rounded-[11px] bg-surface-2 px-3 py-2 text-control text-fg-2">
      <span className="flex-1">{text}</span>
      <Button size="small" onClick={onRetry} icon={<RotateCw size={14} />}>
        {t('Retry')}
      </Button>
    </p>
  );
}

export function Video({ attachment, refresh }: FileProps) {
  const { id, url, thumbnail_url, width, height, filename } = attachment;
  const media = useMediaUrl(localPicture(id) ?? url, refresh);
  if (media.isFailed)
    return <Unplayable text={t('Couldn’t load the video')} onRetry={media.retry} />;
  const box = width && height ? boxOf(width, height) : { width: 400, height: 225 };
  return (
    // biome-ignore lint/a11y/useMediaCaption: media in messages has no captions
    <video
      key={media.attempt}
      controls
      preload="metadata"
      src={media.src ?? undefined}
      poster={thumbnail_url ?? undefined}
      aria-label={filename ?? t('Video')}
      onError={media.onError}
      style={{ width: Math.max(240, box.width), aspectRatio: box.width / box.height }}
      className="max-h-[400px] max-w-full rounded-[11px] bg-black"
    >
      {t('Your browser does not support the video tag.')}
    </video>
  );
}

/** A file of any other type, with its name, size and a download button. */
export function FileRow({
  attachment,
  onDownload,
}: FileProps & { onDownload: () => Promise<void> }) {
  const { filename, size } = attachment;
  const download = useMutation({ mutationFn: onDownload });
  const name = filename ?? t('File');
  return (
    <div className="flex w-[280px] max-w-full items-center gap-2.5 rounded-[11px] border border-line bg-surface py-2 pe-2 ps-3">
      <File size={20} strokeWidth={1.5} className="text-fg-2" />
      <div className="min-w-0 flex-1">
        <p className="truncate text-control font-medium" title={name}>
          {name}
        </p>
        {size !== null && <p className="text-meta text-fg-3 tabular-nums">{formatBytes(size)}</p>}
      </div>
      <IconButton
        label={t('Download {name}', { name })}
        aria-busy={download.isPending}
        onClick={() => {
          if (!download.isPending) download.mutate();
        }}
        icon={<Download />}
      />
    </div>
  );
}
