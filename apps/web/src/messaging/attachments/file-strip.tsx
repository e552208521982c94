import { CircleAlert, RotateCw, X } from 'lucide-react';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ChosenFile } from '../../ui/form/chosen-file.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import type { Strip } from './chosen-files.ts';

interface FileStripProps {
  strip: Strip;
  onRemove: (key: string) => void;
  onRetry: () => void;
  onDismiss: () => void;
}

export function FileStrip({ strip, onRemove, onRetry, onDismiss }: FileStripProps) {
  const { files, sending, problem, canRetry } = strip;
  return (
    <div className="mb-1.5">
      {problem !== null && (
        <div
          role="alert"
          className="mb-1.5 flex items-center gap-2.5 rounded-control border border-danger/30 bg-flagged py-0.5 pe-0.5 ps-2.5 text-control text-danger-text"
        >
          <CircleAlert />
          <span className="min-w-0 flex-1 wrap-anywhere">{problem}</span>
          {canRetry && files.length > 0 && (
            <Button size="small" onClick={onRetry} icon={<RotateCw size={14} />}>
              {t('Retry')}
            </Button>
          )}
          <IconButton
            label={t('Dismiss')}
            onClick={onDismiss}
            className="text-danger-text"
            icon={<X />}
          />
        </div>
      )}
      {files.length > 0 && (
        <>
          <ul
            aria-label={t('Selected files')}
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

function Chosen({ file, onRemove }: { file: Strip['files'][number]; onRemove: () => void }) {
  const isNameless = file.file === null && file.uploaded?.filename === null;
  return <ChosenFile file={isNameless ? { ...file, name: t('File') } : file} onRemove={onRemove} />;
}
