import type { SearchedKind } from '@stagedoor/contract/inbox/message-search';
import { useInfiniteQuery } from '@tanstack/react-query';
import { SearchX, SlidersHorizontal, TextSearch } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { ApiError, errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { useNow } from '../../lib/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { SearchField } from '../../ui/form/search-field.tsx';
import { Segments } from '../../ui/form/segments.tsx';
import { LoadingLine } from '../../ui/loading-line.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { HitRow } from './hit-row.tsx';
import {
  EMPTY_SEARCH,
  type Hit,
  hitId,
  hitsOptions,
  type MessageSearch,
  queryOf,
} from './queries.ts';
import { SearchFilters } from './search-filters.tsx';

const KINDS = [
  { value: 'any', label: t('All', 'messages and staff notes') },
  { value: 'message', label: t('Messages') },
  { value: 'note', label: t('Staff Notes') },
] as const;

/** Milliseconds without typing before the search starts. */
const SEARCH_DELAY_MS = 250;

interface MessageSearchDialogProps {
  /** The initial search text. */
  text: string;
  /** The fan whose conversation is open, or null. */
  openFan: MessageSearch['fan'];
  /** Returns the path of a message or note in its conversation. */
  linkTo: (hit: Hit) => string;
  onClose: () => void;
}

/** The dialog that searches all messages and staff notes. */
export function MessageSearchDialog(props: MessageSearchDialogProps) {
  const { openFan, linkTo, onClose } = props;
  const [search, setSearch] = useState<MessageSearch>({ ...EMPTY_SEARCH, text: props.text });
  const [isNarrowing, setNarrowing] = useState(false);
  const text = useDebounced(search.text, SEARCH_DELAY_MS);
  const query = queryOf(search) && queryOf({ ...search, text });
  const hits = useInfiniteQuery(hitsOptions(query));
  const found = query === null ? undefined : hits.data?.pages.flatMap(({ data }) => data);
  const now = useNow();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [current, setCurrent] = useState(0);
  const change = (part: Partial<MessageSearch>) => {
    setSearch((before) => ({ ...before, ...part }));
    setCurrent(0);
  };
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);

  const focusHit = (index: number) => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-hit]') ?? [])];
    const row = rows[Math.min(index, rows.length - 1)];
    if (!row) return;
    setCurrent(rows.indexOf(row));
    row.focus();
  };
  const onListKey = (event: KeyboardEvent) => {
    const target: Record<string, number | undefined> = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      Home: 0,
      End: Number.POSITIVE_INFINITY,
    };
    const index = target[event.key];
    if (index === undefined) return;
    event.preventDefault();
    if (index < 0) field.current?.focus();
    else focusHit(index);
  };
  const isTooBroad = hits.error instanceof ApiError && hits.error.code === 'search_too_broad';
  const isNarrowed = Object.values({ ...query, q: undefined, kind: undefined }).some(Boolean);
  const isFailed = query !== null && hits.isError && !hits.isFetching;

  return (
    <Dialog title={t('Search All Messages')} onClose={onClose} isWide>
      <div className="flex min-h-[min(440px,60dvh)] flex-col gap-3 pt-1">
        <div className="flex gap-2">
          <SearchField
            ref={field}
            label={t('Search All Messages')}
            placeholder={t('Search message text...')}
            text={search.text}
            onChange={(value) => change({ text: value })}
            onLeave={() => focusHit(0)}
            className="flex-1"
          />
          <Button
            aria-expanded={isNarrowing}
            onClick={() => setNarrowing(!isNarrowing)}
            icon={<SlidersHorizontal />}
          >
            {t('Filters')}
          </Button>
        </div>
        <div>
          <Segments
            label={t('Search in')}
            options={KINDS}
            current={search.kind}
            onChange={(value) => change({ kind: value })}
          />
        </div>
        {isNarrowing && <SearchFilters search={search} onChange={change} openFan={openFan} />}
        {query === null && (
          <EmptyState
            icon={<TextSearch size={22} />}
            title={t('Find any message')}
            text={t('Type at least 3 characters to search all messages and staff notes.')}
          />
        )}
        {query !== null && found === undefined && !isFailed && (
          <LoadingLine text={t('Searching messages...')} className="p-2" />
        )}
        {query !== null && found?.length === 0 && !hits.hasNextPage && !isFailed && (
          <EmptyState
            icon={<SearchX size={22} />}
            title={query.kind === 'note' ? t('No staff notes found') : t('No messages found')}
            text={noneMatch(query.kind, query.q, isNarrowed)}
          />
        )}
        {found !== undefined && found.length > 0 && (
          <ul
            ref={list}
            aria-label={t('Messages found')}
            aria-busy={hits.isPlaceholderData}
            onKeyDown={onListKey}
            className={classes('-mx-2 flex flex-col', hits.isPlaceholderData && 'opacity-90')}
          >
            {found.map((hit, index) => (
              <HitRow
                key={hitId(hit)}
                hit={hit}
                to={linkTo(hit)}
                now={now}
                isTabStop={index === Math.min(current, found.length - 1)}
                onOpen={onClose}
              />
            ))}
          </ul>
        )}
        {isFailed && (
          <ErrorBox
            text={errorText(hits.error, t('Failed to search'))}
            onRetry={
              isTooBroad
                ? undefined
                : () => void (hits.data ? hits.fetchNextPage() : hits.refetch())
            }
          />
        )}
        {found !== undefined && hits.isFetchingNextPage && (
          <p role="status" className="flex items-center justify-center gap-2 text-meta text-fg-3">
            <Spinner /> {t('Searching messages...')}
          </p>
        )}
        {found !== undefined && <MoreButton query={hits} />}
      </div>
    </Dialog>
  );
}

function noneMatch(kind: SearchedKind, text: string, isNarrowed: boolean): string {
  if (kind === 'note') {
    return isNarrowed
      ? t('No staff notes match “{text}” with these filters.', { text })
      : t('No staff notes match “{text}”.', { text });
  }
  return isNarrowed
    ? t('No messages match “{text}” with these filters.', { text })
    : t('No messages match “{text}”.', { text });
}
