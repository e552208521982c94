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
import { ArrowDown, ArrowUp, GripVertical, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { REDUCED_MOTION_QUERY, useMediaQuery } from '../lib/media-query.ts';
import { t } from '../lib/text/i18n.ts';
import { classes } from './classes.ts';
import { IconButton } from './icon-button.tsx';
import { sortingWords } from './sorting-words.ts';

/** Pointer movement below this is a click, not a drag. */
const DRAG_FROM_PX = 8;

interface SortableItem {
  id: string;
  name: string;
  /** The row's content, between its handle and its buttons. */
  content: ReactNode;
}

interface SortableListProps {
  label: string;
  items: readonly SortableItem[];
  /** Called when an item moves, with its old and new index. */
  onMove: (from: number, to: number) => void;
  /** Called with an item's index; null if items can't be removed. */
  onRemove: ((index: number) => void) | null;
  isLocked?: boolean;
  rowClass?: string;
  handleClass: string;
}

/** A list that can be reordered by dragging, with arrow keys or with buttons. */
export function SortableList(props: SortableListProps) {
  const { label, items, onMove, onRemove, isLocked = false, rowClass, handleClass } = props;
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: DRAG_FROM_PX } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    const from = items.findIndex(({ id }) => id === active.id);
    const to = items.findIndex(({ id }) => id === over?.id);
    if (from !== -1 && to !== -1 && from !== to) onMove(from, to);
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={onDragEnd}
      accessibility={sortingWords(items)}
    >
      <SortableContext
        items={items.map(({ id }) => id)}
        strategy={verticalListSortingStrategy}
        disabled={isLocked}
      >
        <ul aria-label={label} className="flex flex-col gap-1">
          {items.map((item, index) => (
            <Row
              key={item.id}
              item={item}
              isFirst={index === 0}
              isLast={index === items.length - 1}
              isLocked={isLocked}
              onMove={(by) => onMove(index, index + by)}
              onRemove={onRemove && (() => onRemove(index))}
              className={rowClass}
              handleClass={handleClass}
            />
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  );
}

interface RowProps {
  item: SortableItem;
  isFirst: boolean;
  isLast: boolean;
  isLocked: boolean;
  onMove: (by: number) => void;
  onRemove: (() => void) | null;
  className: string | undefined;
  handleClass: string;
}

function Row(props: RowProps) {
  const { item, isFirst, isLast, isLocked, onMove, onRemove, className, handleClass } = props;
  const { id, name, content } = item;
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
        className,
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
        className={classes(
          'flex cursor-grab touch-none items-center rounded-control text-fg-3 hover:text-fg focus-visible:-outline-offset-2',
          handleClass,
        )}
      >
        <GripVertical />
      </button>
      {content}
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
