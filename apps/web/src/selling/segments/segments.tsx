import { deleteSegment, type Segment } from '@stagedoor/contract/selling/segments';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Filter, Pencil, Plus, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { call, errorText } from '../../lib/server/api.ts';
import { formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { dateOf } from '../../lib/text/times.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { LoadingLine } from '../../ui/loading-line.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { Tooltip } from '../../ui/overlay/tooltip.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { RetryIcon } from '../../ui/retry-icon.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { segmentCountOptions, segmentsOptions } from './queries.ts';
import { RuleWords } from './rule-words.tsx';
import { SegmentForm } from './segment-form.tsx';

interface SegmentsProps {
  /** Whether the viewer may save and delete segments. */
  mayChange: boolean;
  /** Returns an admin's codename. */
  makerOf: (adminId: string) => string;
}

/** The list of the team's segments, or the open segment. */
export function Segments({ mayChange, makerOf }: SegmentsProps) {
  const [open, setOpen] = useState<Segment | 'new' | null>(null);
  if (open !== null) {
    return (
      <SegmentForm
        segment={open === 'new' ? null : open}
        mayChange={mayChange}
        onDone={() => setOpen(null)}
      />
    );
  }
  return <SegmentList mayChange={mayChange} makerOf={makerOf} onOpen={setOpen} />;
}

interface SegmentListProps extends SegmentsProps {
  onOpen: (segment: Segment | 'new') => void;
}

function SegmentList({ mayChange, makerOf, onOpen }: SegmentListProps) {
  const segments = useQuery(segmentsOptions);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The form, which had the focus, is gone.
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);
  const create = mayChange && (
    <Button variant="primary" onClick={() => onOpen('new')} icon={<Plus />}>
      {t('New Segment')}
    </Button>
  );
  return (
    <section aria-label={t('Segments')} className="rounded-card border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-2 p-4">
        <div className="min-w-0 flex-1 basis-64">
          <h2 ref={heading} tabIndex={-1} className="text-message font-semibold outline-none">
            {t('Segments')}
          </h2>
          <p className="text-control text-fg-3">
            {t('Groups of fans who match your conditions, updated automatically.')}
          </p>
        </div>
        {create}
      </div>
      {segments.isPending && (
        <LoadingLine text={t('Loading segments...')} className="border-t border-line p-4" />
      )}
      {segments.isError && (
        <div className="border-t border-line p-4">
          <QueryError query={segments} text={t('Couldn’t load segments')} />
        </div>
      )}
      {segments.data?.length === 0 && (
        <div className="border-t border-line">
          <EmptyState
            icon={<Filter size={22} />}
            title={t('No segments yet')}
            text={
              mayChange
                ? t(
                    'Save the groups of fans you come back to, such as everyone who spent more than $50.',
                  )
                : t('Managers can create them.')
            }
          />
        </div>
      )}
      <ul className="divide-y divide-line border-t border-line empty:hidden">
        {segments.data?.map((segment) => (
          <Row
            key={segment.id}
            segment={segment}
            maker={makerOf(segment.created_by)}
            mayChange={mayChange}
            onOpen={() => onOpen(segment)}
          />
        ))}
      </ul>
    </section>
  );
}

interface RowProps {
  segment: Segment;
  /** The codename of the admin who created the segment. */
  maker: string;
  mayChange: boolean;
  onOpen: () => void;
}

function Row({ segment, maker, mayChange, onOpen }: RowProps) {
  const { id, name, rule, updated_at } = segment;
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => call(deleteSegment, { params: { id } }),
    onSuccess: () =>
      client.setQueryData(segmentsOptions.queryKey, (all) => all?.filter((each) => each.id !== id)),
    onError: (error) => console.error('Failed to delete segment', error),
  });
  return (
    <li className="grid grid-cols-[1fr_auto_auto] items-center gap-x-3 px-4 py-3 md:items-start">
      <h3 className="min-w-0 font-medium">
        <button
          type="button"
          onClick={onOpen}
          className="max-w-full rounded-chip text-start hover:underline coarse:min-h-11"
        >
          <span dir="auto" className="line-clamp-2 wrap-break-word">
            {name}
          </span>
        </button>
      </h3>
      <div className="col-span-full row-start-2 min-w-0 md:col-span-1">
        <p className="text-control wrap-break-word text-fg-2">
          <RuleWords rule={rule} />
        </p>
        <p className="mt-0.5 text-meta text-fg-3">
          {t('By {name} · changed {date}', { name: maker, date: dateOf(updated_at) })}
        </p>
      </div>
      <div className="text-end md:row-span-2">
        <Count segment={segment} />
      </div>
      <div className="flex items-center md:-mt-1 md:row-span-2">
        <IconButton
          label={mayChange ? t('Edit {name}', { name }) : t('View {name}', { name })}
          onClick={onOpen}
          icon={mayChange ? <Pencil /> : <Filter />}
        />
        {mayChange && (
          <IconButton
            label={t('Delete {name}', { name })}
            aria-busy={remove.isPending || undefined}
            onClick={() => setAsking(true)}
            icon={<Trash2 />}
          />
        )}
        {remove.isError && (
          <RetryIcon
            text={errorText(remove.error, t('Couldn’t delete the segment'))}
            onRetry={() => remove.mutate()}
          />
        )}
      </div>
      {isAsking && (
        <ConfirmDialog
          title={t('Delete segment "{name}"?', { name })}
          text={t('It will be deleted for everyone, and saved views will no longer filter by it.')}
          confirmLabel={t('Delete')}
          onClose={() => setAsking(false)}
          onConfirm={() => remove.mutate()}
        />
      )}
    </li>
  );
}

/** How many fans are in a segment now. */
function Count({ segment: { name, rule } }: { segment: Segment }) {
  const count = useQuery(segmentCountOptions(rule));
  if (count.isError) {
    return (
      <RetryIcon
        text={errorText(count.error, t('Couldn’t count the fans'))}
        onRetry={() => void count.refetch()}
      />
    );
  }
  if (count.data === undefined) return <Skeleton className="mt-1 h-5 w-12" />;
  return (
    <Tooltip text={t('Fans in {name} now', { name })}>
      <span className="text-title font-semibold whitespace-nowrap tabular-nums">
        {formatCount(count.data)}{' '}
        <span className="text-meta font-normal text-fg-3">
          {t('{count, plural, one {fan} other {fans}}', { count: count.data })}
        </span>
      </span>
    </Tooltip>
  );
}
