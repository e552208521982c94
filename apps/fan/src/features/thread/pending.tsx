import { CircleAlert, File as FileIcon, Film, Music, X } from 'lucide-react';
import { locale, t } from '../../lib/i18n.ts';
import { LocalPicture } from '../../ui/local-picture.tsx';
import type { PendingMessage } from '../composer/state.ts';

const percent = new Intl.NumberFormat(locale, { style: 'percent' });

interface PendingFilesProps {
  message: PendingMessage;
  onDiscard: (clientId: string) => void;
}

export function PendingFiles({ message, onDiscard }: PendingFilesProps) {
  const { clientId, files, attachments, status, progress } = message;
  if (files.length === 0 && attachments.length === 0) return null;
  const done = Math.floor(progress * 100);
  return (
    <div className="relative flex flex-col items-end gap-0.5">
      {files.map((file) => (
        <LocalFile key={`${file.name} ${file.size} ${file.lastModified}`} file={file} />
      ))}
      {files.length === 0 &&
        attachments.map(({ id, type, filename, thumbnail_url }) =>
          type === 'image' && thumbnail_url !== null ? (
            <img
              key={id}
              src={thumbnail_url}
              alt={filename ?? t('Photo')}
              className="max-h-[240px] w-[240px] rounded-bubble object-cover opacity-80"
            />
          ) : (
            <FileChip key={id} kind={type} name={filename ?? t('File')} />
          ),
        )}
      {files.length > 0 && status !== 'failed' && (
        <button
          type="button"
          onClick={() => onDiscard(clientId)}
          aria-label={t('Cancel upload')}
          title={t('Cancel upload')}
          className="absolute end-2 top-2 inline-flex h-9 items-center gap-1.5 rounded-full bg-[#000b] px-3 text-meta font-semibold text-white tabular-nums before:absolute before:-inset-1 before:content-['']"
        >
          <span role="progressbar" aria-label={t('Uploaded')} aria-valuenow={done}>
            {percent.format(done / 100)}
          </span>
          <X size={16} strokeWidth={2.25} />
        </button>
      )}
    </div>
  );
}

function LocalFile({ file }: { file: File }) {
  const [kind = ''] = file.type.split('/');
  if (kind !== 'image') return <FileChip kind={kind} name={file.name} />;
  return (
    <LocalPicture
      file={file}
      className="max-h-[240px] min-h-24 w-[240px] rounded-bubble bg-surface-2 object-cover opacity-80"
    />
  );
}

function FileChip({ kind, name }: { kind: string; name: string }) {
  const Icon = kind === 'video' ? Film : kind === 'audio' ? Music : FileIcon;
  return (
    <span className="flex h-16 w-[240px] max-w-full items-center gap-3 rounded-bubble bg-bubble-in ps-3 pe-20 text-control">
      <Icon size={22} strokeWidth={1.75} className="shrink-0 text-fg-2" />
      <span className="truncate">{name}</span>
    </span>
  );
}

interface PendingStateProps {
  message: PendingMessage;
  onRetry: (clientId: string) => void;
  onDiscard: (clientId: string) => void;
}

export function PendingState({ message, onRetry, onDiscard }: PendingStateProps) {
  const { clientId, status, error } = message;
  if (status !== 'failed') {
    return (
      <p className="px-2 pt-0.5 text-badge text-fg-3">
        {status === 'uploading'
          ? t('Uploading…')
          : status === 'sending'
            ? t('Sending…')
            : t('Waiting to be sent')}
      </p>
    );
  }
  const button = 'min-h-11 px-2 font-semibold underline underline-offset-2';
  return (
    <div role="alert" className="flex flex-col items-end text-control text-danger">
      <p className="flex items-start gap-1.5 pt-1 text-end">
        <CircleAlert size={16} className="mt-0.5 shrink-0" />
        <span className="wrap-anywhere">{error}</span>
      </p>
      <div className="flex gap-1 text-fg">
        <button type="button" className={button} onClick={() => onRetry(clientId)}>
          {t('Retry')}
        </button>
        <button type="button" className={button} onClick={() => onDiscard(clientId)}>
          {t('Delete')}
        </button>
      </div>
    </div>
  );
}
