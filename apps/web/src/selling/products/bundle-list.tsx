import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  arrayMove,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { formatClock } from '@stagedoor/browser/format';
import type { BundleFileType } from '@stagedoor/contract/media';
import { ArrowDown, ArrowUp, AudioLines, GripVertical, Play, X } from 'lucide-react';
import { REDUCED_MOTION_QUERY, useMediaQuery } from '../../lib/media-query.ts';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { sortingWords } from '../../ui/sorting-words.ts';

/** Pointer movement below this is a click, not a drag. */
const DRAG_FROM_PX = 8;

/** A file of a product, as its form lists it. */
export interface ListedFile {
  id: string;
  name: string;
  type: BundleFileType;
  /** The URL of a picture of it; null for none. */
  picture: string | null;
  /** Seconds; null if unknown. */
  duration: number | null;
  /** Whether fans see it before buying. */
  free: boolean;
}

interface BundleListProps<F extends ListedFile> {
  files: F[];
  onChange: (files: F[]) => void;
  /** Whether files can be removed. */
  canRemove: boolean;
  isLocked: boolean;
}

/** A product's files, which can be marked as free and reordered by dragging, with arrow keys or with buttons. */
export function BundleList<F extends ListedFile>(props: BundleListProps<F>) {
  const { files, onChange, canRemove, isLocked } = props;
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: DRAG_FROM_PX } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    const from = files.findIndex(({ id }) => id === active.id);
    const to = files.findIndex(({ id }) => id === over?.id);
    if (from !== -1 && to !== -1 && from !== to) onChange(arrayMove(files, from, to));
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={onDragEnd}
      accessibility={sortingWords(files)}
    >
      <SortableContext items={files} strategy={verticalListSortingStrategy} disabled={isLocked}>
        <ul aria-label={t('Files')} className="flex flex-col gap-1">
          {files.map((file, index) => (
            <Row
              key={file.id}
              file={file}
              isFirst={index === 0}
              isLast={index === files.length - 1}
              isLocked={isLocked}
              onMove={(by) => onChange(arrayMove(files, index, index + by))}
              onMark={(free) => onChange(files.with(index, { ...file, free }))}
              onRemove={canRemove ? () => onChange(files.filter((each) => each !== file)) : null}
            />
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  );
}

interface RowProps {
  file: ListedFile;
  isFirst: boolean;
  isLast: boolean;
  isLocked: boolean;
  onMove: (by: number) => void;
  onMark: (free: boolean) => void;
  onRemove: (() => void) | null;
}

function Row({ file, isFirst, isLast, isLocked, onMove, onMark, onRemove }: RowProps) {
  const { id, name, duration, free } = file;
  const isStill = useMediaQuery(REDUCED_MOTION_QUERY);
  const sortable = useSortable({
    id,
    attributes: { roleDescription: t('sortable') },
    ...(isStill && { transition: null }),
  });
  const { transform, transition } = sortable;
  return (
    <li
      ref={sortable.setNodeRef}
      style={{
        transform: transform ? `translate3d(${transform.x}px, ${transform.y}px, 0)` : undefined,
        transition,
      }}
      className={classes(
        'flex items-center gap-1 rounded-control border border-line bg-surface pe-1',
        sortable.isDragging && 'relative z-10 shadow-overlay',
      )}
    >
      <button
        type="button"
        ref={sortable.setActivatorNodeRef}
        {...sortable.attributes}
        {...sortable.listeners}
        disabled={isLocked}
        aria-label={t('Reorder {name}', { name })}
        className="flex h-16 cursor-grab touch-none items-center rounded-control px-1.5 text-fg-3 hover:text-fg focus-visible:-outline-offset-2 coarse:px-3"
      >
        <GripVertical />
      </button>
      <Thumbnail file={file} />
      <div className="min-w-0 flex-1 ps-1.5">
        <p className="flex items-baseline gap-2 text-control">
          <span dir="auto" className="truncate font-medium" title={name}>
            {name}
          </span>
          {duration !== null && (
            <span className="shrink-0 text-meta text-fg-3 tabular-nums">
              {formatClock(duration)}
            </span>
          )}
        </p>
        <label className="inline-flex items-center gap-1.5 text-meta text-fg-2 coarse:min-h-11">
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
      <IconButton
        label={t('Move {name} up', { name })}
        disabled={isFirst || isLocked}
        onClick={() => onMove(-1)}
        className="coarse:size-11"
        icon={<ArrowUp />}
      />
      <IconButton
        label={t('Move {name} down', { name })}
        disabled={isLast || isLocked}
        onClick={() => onMove(1)}
        className="coarse:size-11"
        icon={<ArrowDown />}
      />
      {onRemove && (
        <IconButton
          label={t('Remove {name}', { name })}
          disabled={isLocked}
          onClick={onRemove}
          className="coarse:size-11"
          icon={<X />}
        />
      )}
    </li>
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
