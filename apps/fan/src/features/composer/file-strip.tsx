import { formatBytes } from '@stagedoor/browser/format';
import { File as FileIcon, Film, Music, X } from 'lucide-react';
import { t } from '../../lib/i18n.ts';
import { LocalPicture } from '../../ui/local-picture.tsx';

interface FileStripProps {
  files: readonly File[];
  onRemove: (file: File) => void;
}

/** The files attached to the next message. */
export function FileStrip({ files, onRemove }: FileStripProps) {
  return (
    <ul aria-label={t('Selected files')} className="mb-2 flex gap-2 overflow-x-auto px-1 py-2">
      {files.map((file) => (
        <li
          key={`${file.name} ${file.size} ${file.lastModified}`}
          className="relative size-20 shrink-0 rounded-control bg-surface-2"
        >
          <Chosen file={file} />
          <button
            type="button"
            aria-label={t('Remove {name}', { name: file.name })}
            title={t('Remove {name}', { name: file.name })}
            onClick={() => onRemove(file)}
            className="absolute -top-2 -end-2 flex size-7 items-center justify-center rounded-full border-2 border-surface bg-fg text-surface before:absolute before:-inset-2 before:content-['']"
          >
            <X size={14} strokeWidth={2.5} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function Chosen({ file }: { file: File }) {
  const [kind] = file.type.split('/');
  if (kind === 'image')
    return <LocalPicture file={file} className="size-full rounded-control object-cover" />;
  const Icon = kind === 'video' ? Film : kind === 'audio' ? Music : FileIcon;
  return (
    <span className="flex size-full flex-col items-center justify-center gap-0.5 px-1.5 text-badge text-fg-2">
      <Icon size={22} strokeWidth={1.75} />
      <span className="w-full truncate text-center">{file.name}</span>
      <bdi className="tabular-nums">{formatBytes(file.size)}</bdi>
    </span>
  );
}
