import { rich } from '@stagedoor/browser/rich-text';
import { X } from 'lucide-react';
import type { TagFilter } from '../../fans/tags/queries.ts';
import { t } from '../../lib/text/i18n.ts';
import { Chip } from '../../ui/chip.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { useChangeInbox } from './inbox-state.tsx';

/** The active tag filter, with a button that removes it. */
export function TagFilterBar({ tag }: { tag: TagFilter }) {
  const change = useChangeInbox();
  return (
    <div className="flex h-9 items-center gap-1.5 border-b border-line bg-surface-2 pe-2 ps-3 text-meta text-fg-2 coarse:h-11">
      {rich('Tagged {tag}', { tag: <Chip label={tag.label} color={tag.color} /> })}
      <IconButton
        label={t('Remove Filter {tag}', { tag: tag.label })}
        onClick={() => change({ tag: null })}
        className="size-7"
        icon={<X size={14} strokeWidth={2} />}
      />
    </div>
  );
}
