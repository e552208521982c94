import { rich } from '@stagedoor/browser/rich-text';
import type { FanNotes } from '@stagedoor/contract/fans/fans';
import { useQuery } from '@tanstack/react-query';
import { MoveHorizontal, NotebookPen, Pencil, Plus, X } from 'lucide-react';
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { isComposing } from '../../lib/keyboard.ts';
import { leave } from '../../lib/leave-guard.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { DiscardQuestion } from '../../ui/overlay/discard-question.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { CenteredSpinner } from '../../ui/spinner.tsx';
import { TabList } from '../../ui/tabs.tsx';
import { NOTE_FIELDS, type NoteField } from './merge.ts';
import { NotesForm } from './notes-form.tsx';
import {
  clampWidth,
  NOTES_WIDTH_MAX,
  NOTES_WIDTH_MIN,
  nextWidth,
  setPanelWidth,
  usePanelWidth,
  widthByKey,
} from './panel-width.ts';
import { notesOptions } from './queries.ts';
import { useNotesEdit } from './use-notes-edit.ts';
import { useSwipeAway } from './use-swipe-away.ts';

/** The name of the notes tab. */
export const NOTES_TAB = t('Notes');

/** The form's name for `leave`. */
const NOTES_FORM = 'panel/notes';

/** An additional tab of the panel. */
export interface SideTab {
  name: string;
  title: ReactNode;
  content: ReactNode;
}

interface NotesPanelProps {
  conversationId: string;
  fanName: string;
  /** Docked beside the thread, over it, as a sheet below it, or full screen. */
  place: 'docked' | 'over' | 'sheet' | 'full';
  tab: string;
  onTab: (tab: string) => void;
  others: readonly SideTab[];
  /** Increases on each request to open the panel, which then takes the focus. 0: no request yet. */
  focusRequest: number;
  onClose: () => void;
}

/** The side panel with a fan's profile notes and further tabs. It asks before unsaved changes are lost. */
export function NotesPanel(props: NotesPanelProps) {
  const { conversationId, fanName, place, tab, onTab, others, focusRequest, onClose } = props;
  const width = usePanelWidth();
  const isSide = place === 'docked' || place === 'over';
  const panel = useRef<HTMLElement>(null);
  const edit = useRef<HTMLButtonElement>(null);
  const titleId = useId();
  const tabsId = useId();
  const other = others.find(({ name }) => name === tab);
  // Visited tabs stay mounted, so that they keep their input.
  const [visited, setVisited] = useState<readonly string[]>([tab]);
  if (!visited.includes(tab)) setVisited([...visited, tab]);
  const notes = useQuery(notesOptions(conversationId));
  const editing = useNotesEdit(conversationId);
  const { isDirty, discard } = editing;
  useEffect(() => {
    if (focusRequest > 0) panel.current?.focus();
  }, [focusRequest]);
  const isLoaded = notes.data !== undefined;
  // Focuses Edit, so that Enter starts editing.
  useEffect(() => {
    if (document.activeElement === panel.current) edit.current?.focus();
  }, [focusRequest, isLoaded]);
  const { phase } = editing;
  const shownPhase = useRef(phase);
  const wanted = useRef<NoteField>('dob');
  const begin = (stored: FanNotes, field: NoteField = 'dob') => {
    wanted.current = field;
    editing.begin(stored);
  };
  useEffect(() => {
    if (phase === shownPhase.current) return;
    shownPhase.current = phase;
    // Restores the focus if the new mode has removed the focused button.
    if (document.activeElement !== document.body) return;
    const field = panel.current?.querySelector<HTMLElement>(`[name="${wanted.current}"]`);
    const target = phase === 'edit' ? field : (edit.current ?? panel.current);
    if (phase !== 'saved') target?.focus();
  }, [phase]);
  const close = () => leave(onClose, 'panel');
  const swipe = useSwipeAway(place === 'full', close);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event.nativeEvent)) return;
    if ((event.target as HTMLElement).closest('dialog, [popover]')) return;
    event.preventDefault();
    close();
  };
  return (
    <aside
      ref={panel}
      aria-labelledby={titleId}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      {...swipe}
      style={isSide ? { width } : undefined}
      className={classes(
        'flex flex-col bg-surface focus-visible:-outline-offset-2',
        place === 'docked' && 'relative h-full shrink-0 border-s border-line',
        place === 'over' &&
          'absolute inset-y-0 end-0 z-30 max-w-full border-s border-line shadow-overlay',
        place === 'sheet' && 'h-[45%] w-full shrink-0 rounded-t-bubble border-t border-line',
        place === 'full' && 'fixed inset-0 z-40 touch-pan-y pt-[env(safe-area-inset-top)]',
      )}
    >
      {isSide && <ResizeHandle />}
      <header className="flex h-14 shrink-0 items-center gap-1 border-b border-line pe-2 ps-4">
        <h3 id={titleId} className="min-w-0 flex-1 truncate text-base font-semibold">
          {other ? (
            other.title
          ) : (
            <span className="font-normal text-fg-3">
              {rich('Notes on {name}', {
                name: <span className="font-semibold text-fg">{fanName}</span>,
              })}
            </span>
          )}
        </h3>
        {!other && editing.phase === 'view' && notes.data && (
          <Button
            ref={edit}
            variant="ghost"
            onClick={() => begin(notes.data)}
            icon={<Pencil size={14} />}
          >
            {t('Edit')}
          </Button>
        )}
        {isSide && (
          <IconButton
            label={t('Change Width')}
            onClick={() => setPanelWidth(nextWidth(width))}
            icon={<MoveHorizontal />}
          />
        )}
        <IconButton
          label={other ? t('Close Panel') : t('Close Notes')}
          onClick={close}
          className="coarse:size-11"
          icon={<X />}
        />
      </header>
      <TabList
        label={t('Fan details')}
        tabs={[NOTES_TAB, ...others.map(({ name }) => name)]}
        current={tab}
        onChange={onTab}
        id={tabsId}
        panelOf={(index) => `${tabsId}-${index}-panel`}
        className="shrink-0 px-4"
      />
      <TabPanel id={`${tabsId}-0-panel`} labelledBy={titleId} isCurrent={!other}>
        {editing.edit !== null ? (
          <NotesForm editing={editing} onCancel={() => leave(discard, NOTES_FORM)} />
        ) : notes.data ? (
          <NotesView notes={notes.data} onAdd={(field) => begin(notes.data, field)} />
        ) : notes.isError ? (
          <div className="p-4">
            <QueryError query={notes} text={t('Failed to fetch notes')} />
          </div>
        ) : (
          <CenteredSpinner text={t('Loading notes...')} />
        )}
      </TabPanel>
      {others.map(({ name, content }, index) => (
        <TabPanel
          key={name}
          id={`${tabsId}-${index + 1}-panel`}
          labelledBy={titleId}
          isCurrent={name === tab}
        >
          {visited.includes(name) && content}
        </TabPanel>
      ))}
      {isDirty && (
        <DiscardQuestion
          form={NOTES_FORM}
          text={t('Your changes to the notes on {name} aren’t saved.', { name: fanName })}
          onDiscard={discard}
        />
      )}
    </aside>
  );
}

interface TabPanelProps {
  id: string;
  labelledBy: string;
  isCurrent: boolean;
  children: ReactNode;
}

function TabPanel({ id, labelledBy, isCurrent, children }: TabPanelProps) {
  return (
    <div
      role="tabpanel"
      id={id}
      aria-labelledby={labelledBy}
      hidden={!isCurrent}
      className={classes('min-h-0 flex-1 flex-col', isCurrent ? 'flex' : 'hidden')}
    >
      {children}
    </div>
  );
}

interface NotesViewProps {
  notes: FanNotes;
  onAdd: (field: NoteField) => void;
}

/** The filled fields, and a button for each that is empty. */
function NotesView({ notes, onAdd }: NotesViewProps) {
  const filled = NOTE_FIELDS.filter(({ name }) => notes[name] !== '');
  const empty = NOTE_FIELDS.filter(({ name }) => notes[name] === '');
  const adding = (
    <ul
      aria-label={t('Not filled in')}
      className={classes('flex flex-wrap gap-1.5', filled.length === 0 && 'justify-center')}
    >
      {empty.map(({ name, label }) => (
        <li key={name}>
          <Button
            variant="ghost"
            size="small"
            aria-label={t('Add {field}', { field: label })}
            onClick={() => onAdd(name)}
            className="bg-surface-2 coarse:h-11"
            icon={<Plus size={12} />}
          >
            {label}
          </Button>
        </li>
      ))}
    </ul>
  );
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4">
      {filled.length === 0 ? (
        <EmptyState
          icon={<NotebookPen size={22} />}
          title={t('No notes yet')}
          text={t('Add what the team should know about this fan.')}
          action={adding}
        />
      ) : (
        <dl className="flex flex-col gap-4">
          {filled.map(({ name, label }) => (
            <div key={name}>
              <dt className="text-meta font-medium text-fg-3">{label}</dt>
              <dd dir="auto" className="mt-0.5 wrap-anywhere whitespace-pre-wrap">
                {notes[name]}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {filled.length > 0 && empty.length > 0 && adding}
    </div>
  );
}

/** The panel's inner edge, which can be dragged or moved with arrow keys. */
function ResizeHandle() {
  const width = usePanelWidth();
  const start = useRef<{ x: number; width: number } | null>(null);
  const onMove = (event: PointerEvent) => {
    if (!start.current) return;
    const moved = start.current.x - event.clientX;
    setPanelWidth(clampWidth(start.current.width + (document.dir === 'rtl' ? -moved : moved)));
  };
  const onEnd = () => {
    start.current = null;
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr can't be moved
    <div
      role="separator"
      tabIndex={0}
      aria-label={t('Resize notes')}
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={NOTES_WIDTH_MIN}
      aria-valuemax={NOTES_WIDTH_MAX}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.focus();
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, width };
      }}
      onPointerMove={onMove}
      onPointerUp={onEnd}
      onPointerCancel={onEnd}
      onKeyDown={(event) => {
        const next = widthByKey(event.key, width, document.dir === 'rtl');
        if (next === null) return;
        event.preventDefault();
        setPanelWidth(next);
      }}
      className="absolute inset-y-0 -start-1.5 z-10 w-3 cursor-col-resize touch-none after:absolute after:inset-y-0 after:start-[5px] after:w-0.5 after:transition-colors after:duration-80 hover:after:bg-accent-text focus-visible:outline-none focus-visible:after:bg-accent-text"
    />
  );
}
