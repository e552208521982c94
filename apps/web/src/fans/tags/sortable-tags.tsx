import type { FanTag } from '@stagedoor/contract/fans/fans';
import { t } from '../../lib/text/i18n.ts';
import { Chip } from '../../ui/chip.tsx';
import { SortableList } from '../../ui/sortable-list.tsx';
import { moveTag } from './choice.ts';

interface SortableTagsProps {
  tags: FanTag[];
  onChange: (tags: FanTag[]) => void;
}

/** A fan's tags, which can be reordered or removed. */
export function SortableTags({ tags, onChange }: SortableTagsProps) {
  return (
    <SortableList
      label={t('This fan’s tags')}
      items={tags.map(({ id, label, color, globalTagId }) => ({
        id,
        name: label,
        content: (
          <span className="flex min-w-0 flex-1 items-center gap-2">
            <Chip label={label} color={color} />
            {globalTagId !== null && <span className="text-meta text-fg-3">{t('Global')}</span>}
          </span>
        ),
      }))}
      onMove={(from, to) => onChange(moveTag(tags, from, to))}
      onRemove={(index) => onChange(tags.toSpliced(index, 1))}
      rowClass="h-10 coarse:h-12"
      handleClass="h-full px-2 coarse:px-3.5"
    />
  );
}
