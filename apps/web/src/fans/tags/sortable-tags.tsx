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
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import type { FanTag } from '@stagedoor/contract/fans/fans';
import { ArrowDown, ArrowUp, GripVertical, X } from 'lucide-react';
import { REDUCED_MOTION_QUERY, useMediaQuery } from '../../lib/media-query.ts';
import { t } from '../../lib/text/i18n.ts';
import { Chip } from '../../ui/chip.tsx';
import { classes } from '../../ui/classes.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { sortingWords } from '../../ui/sorting-words.ts';
import { moveTag } from './choice.ts';

/** Pointer movement below this is a click, not a drag. */
const DRAG_FROM_PX = 8;

interface SortableTagsProps {
  tags: FanTag[];
  onChange: (tags: FanTag[]) => void;
}

/** A fan's tags, which can be reordered by dragging, with arrow keys or with buttons. */
export function SortableTags({ tags, onChange }: SortableTagsProps) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: DRAG_FROM_PX } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    const from = tags.findIndex(({ id }) => id === active.id);
    const to = tags.findIndex(({ id }) => id === over?.id);
    if (from !== -1 && to !== -1 && from !== to) onChange(moveTag(tags, from, to));
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={onDragEnd}
      accessibility={sortingWords(tags.map(({ id, label }) => ({ id, name: label })))}
    >
      <SortableContext items={tags} strategy={verticalListSortingStrategy}>
        <ul aria-label={t('This fan’s tags')} className="flex flex-col gap-1">
          {tags.map((tag, index) => (
            <SortableTag
              key={tag.id}
              tag={tag}
              isFirst={index === 0}
              isLast={index === tags.length - 1}
              onMove={(by) => onChange(moveTag(tags, index, index + by))}
              onRemove={() => onChange(tags.filter(({ id }) => id !== tag.id))}
            />
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  );
}

interface SortableTagProps {
  tag: FanTag;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: number) => void;
  onRemove: () => void;
}

function SortableTag({ tag, isFirst, isLast, onMove, onRemove }: SortableTagProps) {
  const isStill = useMediaQuery(REDUCED_MOTION_QUERY);
  const sortable = useSortable({
    id: tag.id,
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
        'flex h-10 items-center gap-1 rounded-control border border-line bg-surface pe-1 coarse:h-12',
        sortable.isDragging && 'relative z-10 shadow-overlay',
      )}
    >
      <button
        type="button"
        ref={sortable.setActivatorNodeRef}
        {...sortable.attributes}
        {...sortable.listeners}
        aria-label={t('Reorder {name}', { name: tag.label })}
        className="flex h-full cursor-grab touch-none items-center rounded-control px-2 text-fg-3 hover:text-fg focus-visible:-outline-offset-2 coarse:px-3.5"
      >
        <GripVertical />
      </button>
      <span className="flex min-w-0 flex-1 items-center gap-2">
        <Chip label={tag.label} color={tag.color} />
        {tag.globalTagId !== null && <span className="text-meta text-fg-3">{t('Global')}</span>}
      </span>
      <IconButton
        label={t('Move {name} up', { name: tag.label })}
        disabled={isFirst}
        onClick={() => onMove(-1)}
        className="coarse:size-11"
        icon={<ArrowUp />}
      />
      <IconButton
        label={t('Move {name} down', { name: tag.label })}
        disabled={isLast}
        onClick={() => onMove(1)}
        className="coarse:size-11"
        icon={<ArrowDown />}
      />
      <IconButton
        label={t('Remove {name}', { name: tag.label })}
        onClick={onRemove}
        className="coarse:size-11"
        icon={<X />}
      />
    </li>
  );
}
