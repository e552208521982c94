import { rich } from '@stagedoor/browser/rich-text';
import { useQuery } from '@tanstack/react-query';
import { UsersRound, X } from 'lucide-react';
import { useEffect } from 'react';
import { useChangeInbox, useInboxState } from '../../inbox/list/inbox-state.tsx';
import { narrowNext } from '../../inbox/queue/actions.ts';
import { t } from '../../lib/text/i18n.ts';
import { segmentsOptions } from '../../selling/segments/queries.ts';
import { IconButton } from '../../ui/icon-button.tsx';

/** The active segment, with a button that removes it. 'Next' only picks fans of this segment. */
export function SegmentBar() {
  const { params, searched } = useInboxState();
  const { segment } = params;
  const change = useChangeInbox();
  const { data: segments } = useQuery({ ...segmentsOptions, enabled: segment !== null });
  useEffect(() => {
    narrowNext(segment);
    return () => narrowNext(null);
  }, [segment]);
  if (segment === null || searched !== null) return null;
  const name =
    segments === undefined
      ? '…'
      : (segments.find(({ id }) => id === segment)?.name ?? t('Deleted segment'));
  return (
    <div className="flex h-9 items-center gap-1.5 border-b border-line bg-surface-2 pe-2 ps-3 text-meta text-fg-2 coarse:h-11">
      <UsersRound size={14} />
      <span className="truncate">
        {rich('In {segment}', {
          segment: <bdi className="font-medium text-fg">{name}</bdi>,
        })}
      </span>
      <IconButton
        label={t('Remove Filter {tag}', { tag: name })}
        onClick={() => change({ segment: null })}
        className="size-7 coarse:size-11"
        icon={<X size={14} strokeWidth={2} />}
      />
    </div>
  );
}
