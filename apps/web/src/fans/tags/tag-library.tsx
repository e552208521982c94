import { TAG_LABEL_MAX_CHARS } from '@stagedoor/contract/fans/fans';
import {
  createGlobalTag,
  DEFAULT_TAG_COLOR,
  deleteGlobalTag,
  type GlobalTag,
  updateGlobalTag,
} from '@stagedoor/contract/fans/tags';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { TagForm } from '../../ui/form/tag-form.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { LoadingLine } from '../../ui/loading-line.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { RetryIcon } from '../../ui/retry-icon.tsx';
import { dropFromLibrary, putInLibrary } from './cache.ts';
import { globalTagsOptions } from './queries.ts';

function useLibraryUpdate() {
  const client = useQueryClient();
  return (update: (library: readonly GlobalTag[]) => GlobalTag[]) =>
    client.setQueryData(globalTagsOptions.queryKey, (library) => library && update(library));
}

/** The dialog to create, change and delete the tags shared by all staff. */
export function TagLibrary({ onClose }: { onClose: () => void }) {
  const library = useQuery(globalTagsOptions);
  return (
    <Dialog
      title={t('Global Tags Library')}
      subtitle={t('Manage reusable tags for all users')}
      onClose={onClose}
      footer={<Button onClick={onClose}>{t('Close')}</Button>}
    >
      <div className="flex flex-col gap-3">
        <CreateTag />
        {library.isLoadingError && (
          <ErrorBox
            text={t('Failed to fetch global tags')}
            onRetry={() => void library.refetch()}
          />
        )}
        {library.isPending && <LoadingLine text={t('Loading tags...')} />}
        {library.data?.length === 0 && (
          <p className="py-6 text-center text-control text-fg-3">
            {t('No global tags yet. Create one above!')}
          </p>
        )}
        {library.data !== undefined && library.data.length > 0 && (
          <ul
            aria-label={t('Global tags')}
            className="divide-y divide-line rounded-card border border-line"
          >
            {library.data.map((tag) => (
              <LibraryRow key={tag.id} tag={tag} />
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}

function CreateTag() {
  const [isOpen, setOpen] = useState(false);
  const update = useLibraryUpdate();
  const create = useMutation({
    mutationFn: async (body: { label: string; color: string }) =>
      (await call(createGlobalTag, { body })).data,
    onSuccess: (tag) => update((library) => putInLibrary(library, tag)),
    onError: (error) => console.error('Failed to create global tag', error),
  });
  const close = () => {
    create.reset();
    setOpen(false);
  };
  if (!isOpen) {
    return (
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="flex h-10 items-center justify-center gap-1.5 rounded-control border border-dashed border-control text-control font-medium text-fg-2 transition-colors duration-80 hover:bg-hover hover:text-fg coarse:h-11"
      >
        <Plus />
        {t('Create New Global Tag')}
      </button>
    );
  }
  return (
    <div className="rounded-control border border-line bg-surface-2 p-3">
      <TagForm
        label=""
        color={DEFAULT_TAG_COLOR}
        maxLength={TAG_LABEL_MAX_CHARS}
        onSubmit={(label, color) => create.mutate({ label, color }, { onSuccess: close })}
        buttons={(canSubmit) => (
          <>
            {create.isError && (
              <RetryIcon
                text={t('Failed to create global tag')}
                onRetry={() =>
                  create.variables && create.mutate(create.variables, { onSuccess: close })
                }
              />
            )}
            <Button onClick={close}>{t('Cancel')}</Button>
            <Button variant="primary" type="submit" disabled={!canSubmit} busy={create.isPending}>
              {t('Create')}
            </Button>
          </>
        )}
      />
    </div>
  );
}

function LibraryRow({ tag }: { tag: GlobalTag }) {
  const [mode, setMode] = useState<'view' | 'edit' | 'delete'>('view');
  const update = useLibraryUpdate();
  const params = { id: tag.id };
  const save = useMutation({
    mutationFn: async (body: { label?: string; color?: string }) =>
      (await call(updateGlobalTag, { params, body })).data,
    onSuccess: (saved) => update((library) => putInLibrary(library, saved)),
    onError: (error) => console.error('Failed to update global tag', error),
  });
  const view = () => {
    save.reset();
    setMode('view');
  };
  const remove = useMutation({
    mutationFn: () => call(deleteGlobalTag, { params }),
    onSuccess: () => update((library) => dropFromLibrary(library, tag.id)),
    onError: (error) => console.error('Failed to delete global tag', error),
  });
  if (mode === 'edit') {
    return (
      <li className="bg-surface-2 p-3 first:rounded-t-card last:rounded-b-card">
        <TagForm
          label={tag.label}
          color={tag.color}
          maxLength={TAG_LABEL_MAX_CHARS}
          onSubmit={(label, color) =>
            save.mutate(changedParts(tag, label, color), { onSuccess: view })
          }
          buttons={(canSubmit) => (
            <>
              {save.isError && (
                <RetryIcon
                  text={t('Failed to update global tag')}
                  onRetry={() => save.variables && save.mutate(save.variables, { onSuccess: view })}
                />
              )}
              <Button onClick={view}>{t('Cancel')}</Button>
              <Button variant="primary" type="submit" disabled={!canSubmit} busy={save.isPending}>
                {t('Save')}
              </Button>
            </>
          )}
        />
      </li>
    );
  }
  return (
    <li className="flex h-11 items-center gap-1 pe-1.5 ps-3 coarse:h-12">
      <span className="flex min-w-0 flex-1">
        <Chip label={tag.label} color={tag.color} />
      </span>
      {remove.isError && (
        <RetryIcon text={t('Failed to delete global tag')} onRetry={() => remove.mutate()} />
      )}
      <IconButton
        label={t('Edit {name}', { name: tag.label })}
        onClick={() => setMode('edit')}
        className="coarse:size-11"
        icon={<Pencil />}
      />
      <IconButton
        label={t('Delete {name}', { name: tag.label })}
        disabled={remove.isPending}
        onClick={() => setMode('delete')}
        className="coarse:size-11"
        icon={<Trash2 />}
      />
      {mode === 'delete' && (
        <ConfirmDialog
          title={t('Delete tag "{name}"?', { name: tag.label })}
          text={t('It will be removed from every fan who has it.')}
          confirmLabel={t('Delete')}
          onClose={view}
          onConfirm={() => remove.mutate()}
        />
      )}
    </li>
  );
}

function changedParts(tag: GlobalTag, label: string, color: string) {
  return {
    ...(label === tag.label ? {} : { label }),
    ...(color.toUpperCase() === tag.color.toUpperCase() ? {} : { color }),
  };
}
