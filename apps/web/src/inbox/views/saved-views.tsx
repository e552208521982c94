import {
  deleteView,
  listViews,
  type SavedView,
  saveView,
  VIEW_NAME_MAX,
} from '@stagedoor/contract/inbox/views';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { TriangleAlert, X } from 'lucide-react';
import { type FormEvent, useId, useRef, useState } from 'react';
import { call, errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { makeChange } from '../../ui/overlay/make-change.ts';
import { showProblem, type Toast } from '../../ui/overlay/toast.ts';
import { useChangeInbox, useInboxState } from '../list/inbox-state.tsx';

type ViewState = Omit<SavedView, 'id' | 'name' | 'lost_segment'>;

/** Returns the list's current tab, order and filters as a view. */
function useShownView(): ViewState {
  const { params, text } = useInboxState();
  return { ...params, search: text };
}

/** The admin's saved views as chips beside the tabs. */
export function SavedViews() {
  const { data: views = [] } = useQuery(viewsOptions);
  const shown = useShownView();
  const change = useChangeInbox();
  const open = ({ filter, sort, tag, segment, search }: SavedView) =>
    change({
      filter,
      sort,
      tag: tag === null ? null : { tag, label: tag, color: null },
      segment,
      text: search,
    });
  return (
    <ul aria-label={t('Saved Views')} className="flex shrink-0 gap-1 ps-1 empty:hidden">
      {views.map((view) => {
        const isShown = isSame(view, shown);
        return (
          <li
            key={view.id}
            className={classes(
              'flex h-6 items-center rounded-full text-meta font-medium coarse:h-9',
              isShown ? 'bg-selected text-accent-text' : 'bg-neutral-bg text-neutral',
            )}
          >
            <button
              type="button"
              aria-pressed={isShown}
              onClick={() => open(view)}
              className="touch-target h-full max-w-40 truncate rounded-full px-2.5 focus-visible:-outline-offset-2 coarse:min-w-11"
            >
              <span dir="auto">{view.name}</span>
            </button>
            {view.lost_segment !== null && <LostSegment name={view.lost_segment} />}
            {isShown && <DeleteView view={view} />}
          </li>
        );
      })}
    </ul>
  );
}

const isSame = (view: ViewState, shown: ViewState) =>
  view.filter === shown.filter &&
  view.sort === shown.sort &&
  view.tag === shown.tag &&
  view.segment === shown.segment &&
  view.search === shown.search;

/** Says that a view no longer filters by its segment. */
function LostSegment({ name }: { name: string }) {
  const text = t('The segment “{name}” was deleted, so this view shows all fans.', { name });
  return (
    <span role="img" aria-label={text} title={text} className="me-1.5 shrink-0 text-warn">
      <TriangleAlert size={14} />
    </span>
  );
}

function DeleteView({ view }: { view: SavedView }) {
  const { id, name, filter, sort, tag, search, segment } = view;
  const client = useQueryClient();
  const change = (save: () => Promise<unknown>, failed: string, toast?: Toast) =>
    void makeChange(client, {
      key: ['views'],
      save,
      saved: () => client.invalidateQueries({ queryKey: ['views'] }),
      toast,
      failed: (error) => showProblem({ key: 'views', text: errorText(error, failed) }),
    });
  const remove = () =>
    change(() => call(deleteView, { params: { id } }), t('Couldn’t delete the view'), {
      text: t('View deleted'),
      onUndo: () =>
        change(
          () => call(saveView, { body: { name, filter, sort, tag, search, segment } }),
          t('Couldn’t save the view'),
        ),
    });
  return (
    <IconButton
      label={t('Delete View {name}', { name })}
      onClick={remove}
      className="size-6 rounded-full text-accent-text! coarse:size-9"
      icon={<X size={12} strokeWidth={2} />}
    />
  );
}

/** Saves the list's current tab, order and filters as a view. */
export function SaveForm() {
  const state = useShownView();
  const client = useQueryClient();
  const fieldId = useId();
  const form = useRef<HTMLFormElement>(null);
  const [name, setName] = useState('');
  const save = useMutation({
    mutationFn: () => call(saveView, { body: { ...state, name } }),
    onSuccess: () => {
      setName('');
      form.current?.closest<HTMLElement>('[popover]')?.hidePopover();
      return client.invalidateQueries({ queryKey: ['views'] });
    },
  });
  const error = save.isError ? errorText(save.error, t('Couldn’t save the view')) : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form ref={form} noValidate onSubmit={submit} className="px-2 pt-1 pb-2">
      <label htmlFor={fieldId} className="text-meta text-fg-3">
        {t('Save this list as')}
      </label>
      <div className="mt-1 flex gap-1.5">
        <input
          id={fieldId}
          value={name}
          maxLength={VIEW_NAME_MAX}
          autoComplete="off"
          aria-invalid={error !== null || undefined}
          aria-describedby={error === null ? undefined : `${fieldId}-error`}
          onChange={(event) => {
            setName(event.target.value);
            save.reset();
          }}
          className="h-8 min-w-0 flex-1 rounded-control border border-control bg-surface px-2 text-control coarse:h-11 coarse:text-[16px]"
        />
        <Button type="submit" busy={save.isPending} disabled={name.trim() === ''}>
          {t('Save')}
        </Button>
      </div>
      {error !== null && (
        <p id={`${fieldId}-error`} role="alert" className="mt-1 text-meta text-danger-text">
          {error}
        </p>
      )}
    </form>
  );
}

const viewsOptions = queryOptions({
  queryKey: ['views'],
  queryFn: async ({ signal }): Promise<SavedView[]> => (await call(listViews, { signal })).data,
});
