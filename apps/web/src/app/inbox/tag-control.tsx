import { Tag } from 'lucide-react';
import { Suspense } from 'react';
import type { TagFilter } from '../../fans/tags/queries.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { t } from '../../lib/text/i18n.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Popover } from '../../ui/overlay/popover.tsx';
import { Spinner } from '../../ui/spinner.tsx';

const TagFilterList = lazyPart(
  async () => (await import('../../fans/tags/tag-filter.tsx')).TagFilterList,
);

/** Chooses the tag to filter the list by. */
export function TagControl({ onChoose }: { onChoose: (tag: TagFilter) => void }) {
  return (
    <Popover
      label={t('Filter by Tag')}
      trigger={
        <IconButton label={t('Filter by Tag')} className="coarse:size-11">
          <Tag aria-hidden="true" size={16} strokeWidth={1.75} />
        </IconButton>
      }
    >
      <Suspense fallback={<Spinner />}>
        <TagFilterList onChoose={onChoose} />
      </Suspense>
    </Popover>
  );
}
