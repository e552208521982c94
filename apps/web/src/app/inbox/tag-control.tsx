import { Tag } from 'lucide-react';
import { Suspense } from 'react';
import { useChangeInbox } from '../../inbox/list/inbox-state.tsx';
import { lazyPart } from '../../lib/lazy-part.ts';
import { t } from '../../lib/text/i18n.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Popover } from '../../ui/overlay/popover.tsx';
import { Spinner } from '../../ui/spinner.tsx';

const TagFilterList = lazyPart(
  async () => (await import('../../fans/tags/tag-filter.tsx')).TagFilterList,
);

/** Chooses the tag to filter the list by. */
export function TagControl() {
  const change = useChangeInbox();
  return (
    <Popover
      label={t('Filter by Tag')}
      trigger={
        <IconButton
          label={t('Filter by Tag')}
          text={t('Tag')}
          className="h-7 @max-[440px]:w-7 coarse:h-11 coarse:min-w-11"
          icon={<Tag size={14} />}
        />
      }
    >
      <Suspense fallback={<Spinner />}>
        <TagFilterList onChoose={(tag) => change({ tag })} />
      </Suspense>
    </Popover>
  );
}
