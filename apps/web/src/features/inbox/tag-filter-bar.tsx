import { X } from 'lucide-react';
import { Chip } from '../../ui/chip.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import type { TagFilter } from './queries.ts';

/** Says that only those who carry a tag are listed, with the way back to everyone. */
export function TagFilterBar({ tag, onRemove }: { tag: TagFilter; onRemove: () => void }) {
  return (
    <div className="flex h-9 items-center gap-1.5 border-b border-line bg-surface-2 pe-2 ps-3 text-meta text-fg-2 coarse:h-11">
      Tagged
      <Chip label={tag.label} color={tag.color} />
      <IconButton label={`Remove filter ${tag.label}`} onClick={onRemove} className="size-7">
        <X aria-hidden="true" size={14} strokeWidth={2} />
      </IconButton>
    </div>
  );
}
