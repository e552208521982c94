import { arrayMove } from '@dnd-kit/sortable';
import { formatClock } from '@stagedoor/browser/format';
import type { BundleFileType } from '@stagedoor/contract/media';
import { AudioLines, Play } from 'lucide-react';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { SortableList } from '../../ui/sortable-list.tsx';

/** A file of a product, as its form lists it. */
export interface ListedFile {
  id: string;
  name: string;
  type: BundleFileType;
  /** The URL of the file's preview; null if it has no preview. */
  picture: string | null;
  /** Seconds; null if unknown. */
  duration: number | null;
  /** Whether fans see the file before buying. */
  free: boolean;
}

interface BundleListProps<F extends ListedFile> {
  files: F[];
  onChange: (files: F[]) => void;
  /** Whether files can be removed. */
  canRemove: boolean;
  isLocked: boolean;
}

/** A product's files, which can be marked as free and reordered. */
export function BundleList<F extends ListedFile>(props: BundleListProps<F>) {
  const { files, onChange, canRemove, isLocked } = props;
  return (
    <SortableList
      label={t('Files')}
      items={files.map((file, index) => ({
        id: file.id,
        name: file.name,
        content: (
          <FileContent
            file={file}
            isLocked={isLocked}
            onMark={(free) => onChange(files.with(index, { ...file, free }))}
          />
        ),
      }))}
      onMove={(from, to) => onChange(arrayMove(files, from, to))}
      onRemove={canRemove ? (index) => onChange(files.toSpliced(index, 1)) : null}
      isLocked={isLocked}
      rowClass="coarse:flex-wrap coarse:gap-y-0"
      handleClass="h-16 px-1.5 coarse:h-14 coarse:px-3"
    />
  );
}

interface FileContentProps {
  file: ListedFile;
  isLocked: boolean;
  onMark: (free: boolean) => void;
}

function FileContent({ file, isLocked, onMark }: FileContentProps) {
  const { name, duration, free } = file;
  return (
    <>
      <Thumbnail file={file} />
      {/* On touch devices, the name fills the first line, and the checkbox and the buttons share the second line. */}
      <div className="min-w-0 flex-1 ps-1.5 coarse:contents">
        <p className="flex items-baseline gap-2 text-control coarse:basis-[calc(100%-6rem)] coarse:px-1.5">
          <span dir="auto" className="truncate font-medium" title={name}>
            {name}
          </span>
          {duration !== null && (
            <span className="shrink-0 text-meta text-fg-3 tabular-nums">
              {formatClock(duration)}
            </span>
          )}
        </p>
        <label className="inline-flex items-center gap-1.5 text-meta text-fg-2 coarse:me-auto coarse:min-h-11 coarse:ps-3">
          <input
            type="checkbox"
            checked={free}
            disabled={isLocked}
            aria-label={t('Show {name} before buying', { name })}
            onChange={(event) => onMark(event.currentTarget.checked)}
          />
          {t('Free', 'file')}
        </label>
      </div>
    </>
  );
}

function Thumbnail({ file: { type, picture } }: { file: ListedFile }) {
  return (
    <span className="relative flex size-12 shrink-0 items-center justify-center overflow-hidden rounded-chip bg-surface-2 text-fg-2">
      {picture !== null && <img src={picture} alt="" className="size-full object-cover" />}
      {type === 'video' && (
        <Play
          size={18}
          className={classes('absolute', picture !== null && 'text-white drop-shadow')}
        />
      )}
      {type === 'audio' && picture === null && <AudioLines size={18} />}
    </span>
  );
}
