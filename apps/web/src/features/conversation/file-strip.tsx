import { formatBytes } from '@stagedoor/browser/format';
import { CircleAlert, File, Image, Music, RotateCw, X } from 'lucide-react';
import { useState } from 'react';
import { locale, t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import type { ChosenFile, Strip } from './chosen-files.ts';

const icon = { 'aria-hidden': true, strokeWidth: 1.75 } as const;

interface FileStripProps {
  strip: Strip;
  onRemove: (key: string) => void;
  /** Uploads and sends again what is in the strip. */
  onRetry: () => void;
  onDismiss: () => void;
}

/** The files that were chosen for the next message. */
export function FileStrip({ strip, onRemove, onRetry, onDismiss }: FileStripProps) {
  const { files, sending, problem, canRetry } = strip;
  return (
    <div className="mb-1.5">
      {problem !== null && (
        <div
          role="alert"
          className="mb-1.5 flex items-center gap-2.5 rounded-control border border-danger/30 bg-flagged py-0.5 pe-0.5 ps-2.5 text-control text-danger-text"
        >
          <CircleAlert {...icon} size={16} className="shrink-0" />
          <span className="min-w-0 flex-1 wrap-anywhere">{problem}</span>
          {canRetry && files.length > 0 && (
            <Button size="small" onClick={onRetry} icon={<RotateCw {...icon} size={14} />}>
              {t('Retry')}
            </Button>
          )}
          <IconButton label={t('Dismiss')} onClick={onDismiss} className="text-danger-text">
            <X {...icon} size={16} />
          </IconButton>
        </div>
      )}
      {files.length > 0 && (
        <>
          <ul
            aria-label={t('Chosen files')}
            className="flex gap-2 overflow-x-auto overscroll-x-contain pb-1"
          >
            {files.map((file) => (
              <Chosen key={file.key} file={file} onRemove={() => onRemove(file.key)} />
            ))}
          </ul>
          <p role="status" className="mt-0.5 truncate text-meta text-fg-3">
            {sending === null ? t('Enter sends text only. Send includes files') : t('Uploading…')}
          </p>
        </>
      )}
    </div>
  );
}

function Chosen({ file, onRemove }: { file: ChosenFile; onRemove: () => void }) {
  const { size, status, progress, error } = file;
  const isNameless = file.file === null && file.uploaded?.filename === null;
  const name = isNameless ? t('File') : file.name;
  const percent = Math.round(progress * 100);
  const bytes = size === null ? '' : formatBytes(size, locale);
  return (
    <li
      className={classes(
        'relative flex w-52 shrink-0 items-center gap-2.5 overflow-hidden rounded-control border bg-surface-2 p-1 pe-0.5',
        status === 'failed' ? 'border-danger/40' : 'border-line',
      )}
    >
      <Thumbnail file={file} />
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
            aria-label={t('Upload of {name}', { name })}
            value={progress}
            max={1}
            className="sr-only"
          />
        )}
      </div>
      <IconButton
        label={
          status === 'uploading'
            ? t('Cancel the upload of {name}', { name })
            : t('Remove {name}', { name })
        }
        onClick={onRemove}
      >
        <X {...icon} size={16} />
      </IconButton>
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

function Thumbnail({ file: { type, picture } }: { file: ChosenFile }) {
  const place = 'size-16 shrink-0 rounded-chip bg-surface object-cover';
  const [isBroken, setBroken] = useState(false);
  if (type === 'image' && picture !== null && !isBroken)
    return <img src={picture} alt="" onError={() => setBroken(true)} className={place} />;
  if (type === 'video' && picture !== null) {
    // The hash makes browsers that show nothing of a paused video show its beginning.
    return <video src={`${picture}#t=0.1`} muted preload="metadata" className={place} />;
  }
  const Icon = { image: Image, audio: Music, video: File, file: File }[type];
  return (
    <span className={classes(place, 'flex items-center justify-center text-fg-2')}>
      <Icon {...icon} size={24} />
    </span>
  );
}
