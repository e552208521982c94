import { useQuery } from '@tanstack/react-query';
import { t } from '../../lib/text/i18n.ts';
import { Link } from '../../ui/link.tsx';
import { LoadingLine } from '../../ui/loading-line.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { segmentsOptions } from './queries.ts';

/** The team's segments in a popover, and the link to their page. */
export function SegmentChoice({ onChoose }: { onChoose: (id: string) => void }) {
  const segments = useQuery(segmentsOptions);
  return (
    <>
      {segments.isPending && <LoadingLine text={t('Loading segments...')} className="p-2" />}
      {segments.isLoadingError && (
        <QueryError query={segments} text={t('Couldn’t load segments')} />
      )}
      {segments.data?.length === 0 && <p className="p-2 text-fg-3">{t('No segments yet')}</p>}
      <ul aria-label={t('Segments')} className="max-h-80 overflow-y-auto empty:hidden">
        {segments.data?.map(({ id, name }) => (
          <li key={id}>
            <button
              type="button"
              onClick={(event) => {
                event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
                onChoose(id);
              }}
              className="flex h-8 w-full max-w-80 items-center rounded-chip px-2 text-start transition-colors duration-80 hover:bg-hover focus-visible:-outline-offset-2 coarse:h-11"
            >
              <span dir="auto" className="truncate">
                {name}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <Link
        to="/segments"
        className="mt-1 flex h-8 items-center rounded-chip border-t border-line px-2 text-accent-text hover:underline focus-visible:-outline-offset-2 coarse:h-11"
      >
        {t('All Segments')}
      </Link>
    </>
  );
}
