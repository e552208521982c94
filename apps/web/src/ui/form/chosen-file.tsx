import { formatBytes } from '@stagedoor/browser/format';
import { File, Image, Music, X } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../classes.ts';
import { IconButton } from '../icon-button.tsx';

/** A chosen file, for display. */
export interface ShownFile {
  name: string;
  /** Bytes; null if unknown. */
  size: number | null;
  type: 'image' | 'video' | 'audio' | 'file';
  /** The URL of its preview, or null. */
  picture: string | null;
  status: 'chosen' | 'uploading' | 'uploaded' | 'failed';
  /** The uploaded share, 0 to 1. */
  progress: number;
  error: string | null;
}

interface ChosenFileProps {
  file: ShownFile;
  onRemove: () => void;
}

/** A chosen file in a list, with its progress and a Remove button. */
export function ChosenFile({ file, onRemove }: ChosenFileProps) {
  const { name, size, status, progress, error } = file;
  const percent = Math.round(progress * 100);
  const bytes = size === null ? '' : formatBytes(size);
  return (
    <li
      className={classes(
        'relative flex w-52 shrink-0 items-center gap-2.5 overflow-hidden rounded-control border bg-surface-2 p-1 pe-0.5',
        status === 'failed' ? 'border-danger/40' : 'border-line',
      )}
    >
      <Thumbnail key={file.picture} file={file} />
      <div className="min-w-0 flex-1 text-meta">
        <p className="truncate font-medium text-fg" title={name}>
          {name}
        </p>
        <p
          className={classes(
            'truncate tabular-nums',
            status === 'failed' ? 'text-danger-text' : 'text-fg-2',
          )}
          title={error ?? undefined}
        >
          {status === 'failed' && error}
          {status === 'uploading' && t('Uploading {percent}%', { percent })}
          {status === 'chosen' && bytes}
          {status === 'uploaded' && t('{size} · Uploaded', { size: bytes })}
        </p>
        {status === 'uploading' && (
          <progress
            aria-label={t('Uploading {name}', { name })}
            value={progress}
            max={1}
            className="sr-only"
          />
        )}
      </div>
      <IconButton
        label={
          status === 'uploading'
            ? t('Cancel Upload of {name}', { name })
            : t('Remove {name}', { name })
        }
        onClick={onRemove}
        icon={<X />}
      />
      {status === 'uploading' && (
        <span
          aria-hidden="true"
          style={{ width: `${percent}%` }}
          className="absolute bottom-0 start-0 h-[3px] bg-accent"
        />
      )}
    </li>
  );
}

function Thumbnail({ file: { type, picture } }: { file: ShownFile }) {
  const shape = 'size-16 shrink-0 rounded-chip bg-surface object-cover';
  const [isBroken, setBroken] = useState(false);
  if (type === 'image' && picture !== null && !isBroken)
    return <img src={picture} alt="" onError={() => setBroken(true)} className={shape} />;
  if (type === 'video' && picture !== null) {
    // Without the hash, some browsers don't show the first frame of a paused video.
    return <video src={`${picture}#t=0.1`} muted preload="metadata" className={shape} />;
  }
  const Icon = { image: Image, audio: Music, video: File, file: File }[type];
  return (
    <span className={classes(shape, 'flex items-center justify-center text-fg-2')}>
      <Icon size={24} />
    </span>
  );
}
