import type { Announcements, UniqueIdentifier } from '@dnd-kit/core';
import { t } from '../lib/text/i18n.ts';

/** Returns what screen readers say about a list that is sorted by dragging. */
export function sortingWords(items: readonly { readonly id: string; readonly name: string }[]) {
  const nameOf = (key: UniqueIdentifier) => items.find(({ id }) => id === key)?.name ?? '';
  const positionOf = (key: UniqueIdentifier) => items.findIndex(({ id }) => id === key) + 1;
  const announcements: Announcements = {
    onDragStart: ({ active }) => t('Picked up {name}.', { name: nameOf(active.id) }),
    onDragOver: ({ active, over }) =>
      over
        ? t('{name} is at position {place} of {count}.', {
            name: nameOf(active.id),
            place: positionOf(over.id),
            count: items.length,
          })
        : t('{name} is outside the list.', { name: nameOf(active.id) }),
    onDragEnd: ({ active }) => t('{name} was dropped.', { name: nameOf(active.id) }),
    onDragCancel: ({ active }) =>
      t('Move canceled. {name} is back where it was.', { name: nameOf(active.id) }),
  };
  const draggable = t(
    'To pick up a draggable item, press the space bar. While dragging, use the arrow keys to move the item. Press space again to drop the item in its new position, or press escape to cancel.',
  );
  return { announcements, screenReaderInstructions: { draggable } };
}
