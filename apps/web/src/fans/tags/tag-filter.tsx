import { useQuery } from '@tanstack/react-query';
import { t } from '../../lib/text/i18n.ts';
import { Chip } from '../../ui/chip.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { LoadingLine } from '../../ui/loading-line.tsx';
import type { TagFilter } from './queries.ts';
import { globalTagsOptions } from './queries.ts';

/** The library's tags. Choosing one filters the conversations. */
export function TagFilterList({ onChoose }: { onChoose: (tag: TagFilter) => void }) {
  const library = useQuery(globalTagsOptions);
  if (library.isError && !library.isFetching) {
    return (
      <ErrorBox text={t('Failed to fetch global tags')} onRetry={() => void library.refetch()} />
    );
  }
  if (library.data === undefined)
    return <LoadingLine text={t('Loading tags...')} className="p-2" />;
  if (library.data.length === 0) return <p className="p-2 text-fg-3">{t('No global tags yet.')}</p>;
  return (
    <ul aria-label={t('Tags')} className="max-h-80 overflow-y-auto">
      {library.data.map(({ id, label, color }) => (
        <li key={id}>
          <button
            type="button"
            onClick={(event) => {
              event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
              onChoose({ tag: id, label, color });
            }}
            className="flex h-8 w-full items-center rounded-chip px-2 transition-colors duration-80 hover:bg-hover focus-visible:-outline-offset-2 coarse:h-11"
          >
            <Chip label={label} color={color} />
          </button>
        </li>
      ))}
    </ul>
  );
}
