import type { Conversation, SearchHit } from '@stagedoor/contract/inbox/conversations';
import {
  keepPreviousData,
  type QueryClient,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { inboxRows } from '../../inbox/list/cache.ts';
import { type InboxList, inboxSearchOptions, searchQueryOf } from '../../inbox/list/queries.ts';
import { type Command, useRegisteredCommands } from '../../lib/commands.ts';
import { isComposing, shortcutName } from '../../lib/keyboard.ts';
import { displayName } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { Button } from '../../ui/button.tsx';
import { useOutsideClick } from '../../ui/overlay/use-outside-click.ts';
import { Keys } from './keys.tsx';
import { OptionRow } from './option-row.tsx';
import { browsed, found, type Group, type Option } from './options.ts';
import { recentStore } from './recent.ts';

interface CommandPaletteProps {
  onRun: (command: Command) => void;
  onOpenFan: (conversation: Conversation) => void;
  onClose: () => void;
}

/** Searches the available commands and all fans. Opens immediately, and returns the focus when it closes. */
export function CommandPalette({ onRun, onOpenFan, onClose }: CommandPaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const outsideClick = useOutsideClick(onClose);
  const id = useId();
  const [text, setText] = useState('');
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  const fans = useFans(text);
  const groups = useGroups(text, fans);
  const options = groups.flatMap((group) => group.options);
  const active = options.find(({ key }) => key === chosenKey) ?? options[0];
  useModal(dialog);
  const activeKey = active?.key;
  useEffect(() => {
    if (activeKey === undefined) return;
    dialog.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [activeKey]);

  const choose = (option: Option) =>
    option.kind === 'command' ? onRun(option.command) : onOpenFan(option.conversation);
  const step = (by: number) => {
    const at = active ? options.indexOf(active) : -1;
    setChosenKey(options.at((at + by) % options.length)?.key ?? null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => step(1),
      ArrowUp: () => step(-1),
      Enter: () => active && choose(active),
      'Mod+k': onClose,
    };
    const act = keys[shortcutName(event.nativeEvent)];
    if (!act) return;
    event.preventDefault();
    if (event.key.startsWith('Arrow') || !event.repeat) act();
  };
  return (
    <dialog
      ref={dialog}
      aria-label={t('Command Palette')}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      {...outsideClick}
      className="mx-auto mt-[min(14dvh,120px)] mb-0 max-h-[min(70dvh,520px)] w-[600px] max-w-[calc(100vw-32px)] flex-col overflow-hidden rounded-dialog border border-line bg-surface p-0 text-fg shadow-overlay backdrop:bg-[#0007] open:flex max-md:mt-0 max-md:max-h-[85dvh] max-md:w-full max-md:max-w-full max-md:rounded-t-none max-md:border-x-0 max-md:border-t-0 max-md:pt-[env(safe-area-inset-top)]"
    >
      <div className="flex shrink-0 items-center gap-2.5 border-b border-line pe-2 ps-4 focus-within:border-accent-text">
        <Search className="text-fg-3" />
        <input
          type="text"
          role="combobox"
          aria-label={t('Command or fan')}
          aria-expanded={options.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={active && optionId(id, active)}
          placeholder={t('Type a command or a fan’s name...')}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setChosenKey(null);
          }}
          onKeyDown={onKeyDown}
          className="h-12 min-w-0 flex-1 bg-transparent text-message outline-none"
        />
        <Button variant="ghost" size="small" onClick={onClose}>
          {t('Close')}
        </Button>
      </div>
      <div
        id={id}
        role="listbox"
        aria-label={t('Commands and fans')}
        className="min-h-0 flex-1 scroll-py-2 overflow-y-auto overscroll-contain p-2 empty:hidden"
      >
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: this is how options of a listbox are grouped
          <div key={group.title} role="group" aria-label={group.title} className="not-first:mt-2">
            <p aria-hidden="true" className="px-2.5 py-1 text-meta font-medium text-fg-3">
              {group.title}
            </p>
            {group.options.map((option) => (
              <OptionRow
                key={option.key}
                id={optionId(id, option)}
                option={option}
                showsSection={text.trim() !== ''}
                isActive={option === active}
                onPoint={() => setChosenKey(option.key)}
                onChoose={() => choose(option)}
              />
            ))}
          </div>
        ))}
      </div>
      <Status
        fans={fans}
        nothing={
          options.length > 0
            ? null
            : searchQueryOf(text) === null
              ? t('Keep typing to find fans...')
              : t('No matching commands or fans')
        }
      />
      <p className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-4 py-2 text-meta text-fg-3 coarse:hidden">
        <Hint shortcut="ArrowUp" also="ArrowDown" text={t('to move')} />
        <Hint shortcut="Enter" text={t('to choose')} />
        <Hint shortcut="Escape" text={t('to close')} />
      </p>
    </dialog>
  );
}

function optionId(listId: string, { key }: Option): string {
  return `${listId}-${key.replaceAll(/\W/g, '-')}`;
}

function useGroups(text: string, fans: FanSearch): Group[] {
  const commands = useRegisteredCommands().filter(({ keysOnly }) => !keysOnly);
  const recentFans = useRecentFans();
  if (text.trim() !== '') return found(commands, text, fans);
  return browsed(commands, { commands: recentStore.get().commands, fans: recentFans });
}

function useModal(dialog: RefObject<HTMLDialogElement | null>): void {
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, [dialog]);
}

/** @param nothing the text to show if there are no options */
function Status({ fans, nothing }: { fans: FanSearch; nothing: string | null }) {
  return (
    <div role="status" className="shrink-0 px-4 text-control text-fg-3">
      {fans.isSearching && <p className="py-3">{t('Searching fans...')}</p>}
      {fans.isFailed && (
        <p className="flex items-center gap-3 py-2 text-danger-text">
          {t('Failed to search')}
          <Button size="small" onClick={fans.retry}>
            {t('Retry')}
          </Button>
        </p>
      )}
      {nothing !== null && !fans.isSearching && !fans.isFailed && (
        <p className="py-6 text-center">{nothing}</p>
      )}
    </div>
  );
}

function Hint({ shortcut, also, text }: { shortcut: string; also?: string; text: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <Keys shortcut={shortcut} />
      {also && <Keys shortcut={also} />}
      {text}
    </span>
  );
}

/** Milliseconds without typing before fans are searched. */
const SEARCH_DELAY_MS = 150;

/** The maximum number of fans shown. Typing more narrows the results. */
const FANS_SHOWN = 8;

interface FanSearch {
  hits: readonly SearchHit[];
  isSearching: boolean;
  isFailed: boolean;
  retry: () => void;
}

/** Returns the fans that match a text. While the user types, earlier results stay as long as their names still match. */
function useFans(text: string): FanSearch {
  const settled = useDebounced(text, SEARCH_DELAY_MS);
  const typed = searchQueryOf(text);
  const searched = typed && searchQueryOf(settled);
  const query = useQuery({
    ...inboxSearchOptions(searched ?? ''),
    enabled: searched !== null,
    placeholderData: keepPreviousData,
  });
  const isCurrent = searched === typed && !query.isPlaceholderData;
  const hits = typed === null ? [] : (query.data ?? []);
  const fitting = isCurrent ? hits : hits.filter((hit) => typed !== null && isNamed(hit, typed));
  const isFailed = query.isError && !query.isFetching && isCurrent;
  return {
    hits: fitting.slice(0, FANS_SHOWN),
    isSearching: typed !== null && !isFailed && (!isCurrent || query.isPending),
    isFailed,
    retry: () => void query.refetch(),
  };
}

function isNamed({ fan }: Conversation, typed: string): boolean {
  return displayName(fan).toLowerCase().includes(typed.toLowerCase());
}

/** Returns the recently opened conversations that are cached, newest first, without the current one. */
function useRecentFans(): readonly Conversation[] {
  const client = useQueryClient();
  const { pathname } = useLocation();
  const [fans] = useState(() =>
    recentStore
      .get()
      .conversations.filter((id) => !pathname.endsWith(id))
      .flatMap((id) => cachedFan(client, id) ?? []),
  );
  return fans;
}

function cachedFan(client: QueryClient, id: string): Conversation | undefined {
  const opened = client.getQueryData<Conversation>(['conversation', id]);
  if (opened) return opened;
  const lists = client.getQueriesData<InboxList>({ queryKey: ['inbox', 'list'] });
  return lists
    .flatMap(([, list]) => (list ? inboxRows(list) : []))
    .find((conversation) => conversation.id === id);
}
