import {
  type Active,
  DndContext,
  DragOverlay,
  type Modifier,
  MouseSensor,
  type Over,
  pointerWithin,
  useDroppable,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import type { Product } from '@stagedoor/contract/selling/products';
import { type ReactNode, useState } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { Picture } from '../../ui/picture.tsx';

/** Pointer movement below this is a click, not a drag. */
const DRAG_FROM_PX = 8;
const BESIDE_POINTER_PX = 12;

interface Target {
  /** Null removes the product from its folder. */
  folderId: string | null;
  name: string;
}

const productIn = ({ data }: Active): Product => (data.current as { product: Product }).product;
const targetIn = ({ data }: Over): Target => data.current as Target;

/** Draws the dragged product small, next to the pointer, because the folders are too close together for a whole card. */
const besidePointer: Modifier = ({ activatorEvent, draggingNodeRect, transform }) => {
  if (!draggingNodeRect || !(activatorEvent instanceof MouseEvent)) return transform;
  return {
    ...transform,
    x: transform.x + activatorEvent.clientX - draggingNodeRect.left + BESIDE_POINTER_PX,
    y: transform.y + activatorEvent.clientY - draggingNodeRect.top + BESIDE_POINTER_PX,
  };
};

const announcements = {
  onDragStart: ({ active }: { active: Active }) =>
    t('Picked up {title}', { title: productIn(active).title }),
  onDragOver: ({ over }: { over: Over | null }) =>
    over ? t('Over {folder}', { folder: targetIn(over).name }) : '',
  onDragEnd: () => '',
  onDragCancel: () => t('Move canceled'),
};

/** Swallows the click when the mouse button is released after a canceled drag. */
function ignoreNextClick(): void {
  const stop = (event: Event) => event.stopPropagation();
  window.addEventListener('click', stop, { capture: true });
  const end = () => setTimeout(() => window.removeEventListener('click', stop, { capture: true }));
  window.addEventListener('mouseup', end, { once: true });
}

interface DragToFolderProps {
  onMove: (product: Product, folderId: string | null) => void;
  refresh: () => Promise<void>;
  children: ReactNode;
}

/** Lets users drag cards onto folders, with the mouse only: touch scrolls, and the card's menu works for everyone. */
export function DragToFolder({ onMove, refresh, children }: DragToFolderProps) {
  const [dragged, setDragged] = useState<Product | null>(null);
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: DRAG_FROM_PX } }),
  );
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={pointerWithin}
      accessibility={{ announcements }}
      onDragStart={({ active }) => setDragged(productIn(active))}
      onDragCancel={() => {
        setDragged(null);
        ignoreNextClick();
      }}
      onDragEnd={({ active, over }) => {
        setDragged(null);
        if (over) onMove(productIn(active), targetIn(over).folderId);
      }}
    >
      {children}
      <DragOverlay
        dropAnimation={null}
        modifiers={[besidePointer]}
        style={{ width: 'max-content', height: 'auto', cursor: 'grabbing' }}
      >
        {dragged && (
          <div
            data-dragged=""
            className="flex max-w-60 items-center gap-2.5 rounded-card border border-line bg-surface p-1.5 pe-3 text-control font-medium shadow-overlay"
          >
            <Picture
              url={dragged.thumbnail_url ?? dragged.image_url}
              refresh={refresh}
              className="size-9 shrink-0 rounded-chip"
            />
            <span className="truncate">{dragged.title}</span>
          </div>
        )}
      </DragOverlay>
    </DndContext>
  );
}

/** Makes an element a drop target for products. */
export function useFolderTarget(target: Target) {
  const { setNodeRef, isOver } = useDroppable({
    id: target.folderId === null ? 'no-folder' : `folder-${target.folderId}`,
    data: target,
  });
  return { setNodeRef, isOver };
}
