import {
  deleteView,
  type SavedView,
  saveView,
  VIEW_NAME_MAX,
} from '@stagedoor/contract/inbox/views';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CheckSquare, Trash2 } from 'lucide-react';
import { type FormEvent, type MouseEvent, useId, useState } from 'react';
import { call, errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { makeChange } from '../../ui/overlay/make-change.ts';
import { showProblem, type Toast } from '../../ui/overlay/toast.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { viewsOptions } from './queries.ts';

/** A view without its name and id. */
export type ViewState = Omit<SavedView, 'id' | 'name'>;

interface ViewsMenuProps {
  /** The current list. */
  state: ViewState;
  onChoose: (view: ViewState) => void;
  /** Starts selecting rows; null if the admin can't. */
  onSelect: (() => void) | null;
}

const closeMenu = (event: MouseEvent | FormEvent) =>
  event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();

/** The admin's saved views of the inbox, to open, save and delete. */
export function ViewsMenu({ state, onChoose, onSelect }: ViewsMenuProps) {
  const client = useQueryClient();
  const views = useQuery(viewsOptions);
  const change = (save: () => Promise<unknown>, failed: string, toast?: Toast) =>
    void makeChange(client, {
      key: ['views'],
      save,
      saved: () => client.invalidateQueries({ queryKey: ['views'] }),
      toast,
      failed: (error) => showProblem({ key: 'views', text: errorText(error, failed) }),
    });
  const remove = ({ id, ...view }: SavedView) =>
    change(() => call(deleteView, { params: { id } }), t('Couldn’t delete the view'), {
      text: t('View deleted'),
      onUndo: () => change(() => call(saveView, { body: view }), t('Couldn’t save the view')),
    });
  return (
    <div className="w-64">
      {onSelect && (
        <button
          type="button"
          onClick={(event) => {
            closeMenu(event);
            onSelect();
          }}
          className={`${ENTRY} mb-1`}
        >
          <CheckSquare aria-hidden="true" size={16} strokeWidth={1.75} className="text-fg-2" />
          {t('Select Conversations')}
        </button>
      )}
      <h2 className="px-2 pt-1 text-meta text-fg-3">{t('Saved Views')}</h2>
      {views.isError && !views.isFetching && (
        <ErrorBox text={t('Couldn’t load the views')} onRetry={() => void views.refetch()} />
      )}
      {views.isPending && (
        <p role="status" className="flex items-center gap-2 p-2 text-fg-3">
          <Spinner /> {t('Loading views...')}
        </p>
      )}
      {views.data?.length === 0 && (
        <p className="px-2 py-1.5 text-fg-3">{t('No saved views yet. Save one below.')}</p>
      )}
      <ul aria-label={t('Saved Views')} className="max-h-72 overflow-y-auto">
        {views.data?.map((view) => (
          <li key={view.id} className="flex items-center">
            <button
              type="button"
              onClick={(event) => {
                closeMenu(event);
                onChoose(view);
              }}
              className={ENTRY}
            >
              <span dir="auto" className="truncate">
                {view.name}
              </span>
            </button>
            <IconButton
              label={t('Delete View {name}', { name: view.name })}
              onClick={() => remove(view)}
              className="size-7 coarse:size-11"
            >
              <Trash2 aria-hidden="true" size={14} strokeWidth={1.75} />
            </IconButton>
          </li>
        ))}
      </ul>
      <SaveForm state={state} />
    </div>
  );
}

const ENTRY =
  'flex min-h-8 w-full min-w-0 flex-1 items-center gap-2.5 rounded-chip px-2 text-start transition-colors duration-80 hover:bg-hover focus-visible:-outline-offset-2 coarse:min-h-11';

function SaveForm({ state }: { state: ViewState }) {
  const client = useQueryClient();
  const fieldId = useId();
  const [name, setName] = useState('');
  const save = useMutation({
    mutationFn: () => call(saveView, { body: { ...state, name } }),
    onSuccess: () => {
      setName('');
      return client.invalidateQueries({ queryKey: ['views'] });
    },
  });
  const error = save.isError ? errorText(save.error, t('Couldn’t save the view')) : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form noValidate onSubmit={submit} className="mt-1 border-t border-line px-2 pt-2 pb-1">
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
