import { deleteFolder, type Folder, updateFolder } from '@stagedoor/contract/selling/products';
import { useMutation } from '@tanstack/react-query';
import { Folder as FolderIcon, Pencil, Trash2 } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError, call, errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import type { CatalogueCache } from './use-catalogue.ts';

interface FolderRowProps {
  folder: Folder;
  count: number;
  isRenamed: boolean;
  onRename: (isOn: boolean) => void;
  /** Called when the typed name begins to differ from the stored name, and when they are equal again. */
  onDirty: (isDirty: boolean) => void;
  cache: CatalogueCache;
  onRefused: () => void;
}

export function FolderRow(props: FolderRowProps) {
  const { folder, count, isRenamed, onRename, cache, onRefused } = props;
  const { id, name } = folder;
  const [isAsking, setAsking] = useState(false);
  const rename = useRef<HTMLButtonElement>(null);
  const wasRenamed = useRef(isRenamed);
  useEffect(() => {
    if (wasRenamed.current && !isRenamed) rename.current?.focus();
    wasRenamed.current = isRenamed;
  }, [isRenamed]);
  const remove = useMutation({
    mutationFn: async () => {
      await call(deleteFolder, { params: { id } });
      cache.dropFolder(id);
    },
    onError: (failure) => noteRefusal(failure, cache, onRefused),
  });
  if (isRenamed) {
    return (
      <li className="bg-surface-2 p-3 first:rounded-t-card last:rounded-b-card">
        <RenameForm {...props} />
      </li>
    );
  }
  return (
    <li>
      <div className="flex min-h-12 items-center gap-1 py-2 pe-1.5 ps-3">
        <FolderIcon className="me-1.5 text-fg-3" />
        <div className="min-w-0 flex-1 wrap-anywhere">
          <p dir="auto" className="text-control font-medium">
            {name}
          </p>
          {folder.description && (
            <p dir="auto" className="text-meta text-fg-2">
              {folder.description}
            </p>
          )}
          <p className="text-meta text-fg-3 tabular-nums">
            {t('{count, plural, one {# product} other {# products}}', { count })}
          </p>
        </div>
        <IconButton
          ref={rename}
          label={t('Rename {name}', { name })}
          onClick={() => onRename(true)}
          className="coarse:size-11"
          icon={<Pencil />}
        />
        <IconButton
          label={t('Delete {name}', { name })}
          disabled={remove.isPending}
          onClick={() => setAsking(true)}
          className="coarse:size-11"
          icon={<Trash2 />}
        />
      </div>
      {remove.isError && (
        <div className="px-3 pb-3">
          <ErrorBox
            text={errorText(remove.error, t('Failed to delete folder'))}
            onRetry={() => remove.mutate()}
          />
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t('Delete Folder')}
          text={t(
            'Are you sure you want to delete folder "{name}"? Products in this folder will not be deleted.',
            { name },
          )}
          confirmLabel={t('Delete')}
          onClose={() => setAsking(false)}
          onConfirm={() => remove.mutate()}
        />
      )}
    </li>
  );
}

function RenameForm({ folder, onRename, onDirty, cache, onRefused }: FolderRowProps) {
  const [name, setName] = useState(folder.name);
  const [isMissing, setMissing] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const focusName = () => form.current?.querySelector<HTMLInputElement>('input')?.focus();
  const save = useMutation({
    mutationFn: (wanted: string) =>
      call(updateFolder, { params: { id: folder.id }, body: { name: wanted } }),
    onSuccess: ({ data }) => cache.putFolder(data),
    onError: (failure) => {
      noteRefusal(failure, cache, onRefused);
      focusName();
    },
  });
  const error = isMissing
    ? t('Folder name is required')
    : save.isError
      ? errorText(save.error, t('Failed to update folder'))
      : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = name.trim();
    if (save.isPending) return;
    setMissing(wanted === '');
    if (wanted === '') return focusName();
    if (wanted === folder.name) return onRename(false);
    save.mutate(wanted, { onSuccess: () => onRename(false) });
  };
  return (
    <form
      ref={form}
      noValidate
      aria-label={t('Rename {name}', { name: folder.name })}
      onSubmit={submit}
      className="flex flex-col gap-3"
    >
      <TextField
        label={t('New name')}
        autoFocus
        autoComplete="off"
        maxLength={200}
        value={name}
        readOnly={save.isPending}
        error={error}
        onChange={(event) => {
          setMissing(false);
          save.reset();
          setName(event.target.value);
          onDirty(event.target.value.trim() !== folder.name);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          // Escape cancels the renaming and keeps the dialog open.
          event.preventDefault();
          onRename(false);
        }}
      />
      <div className="flex justify-end gap-2">
        <Button onClick={() => onRename(false)}>{t('Cancel')}</Button>
        <Button variant="primary" type="submit" busy={save.isPending}>
          {t('Save')}
        </Button>
      </div>
    </form>
  );
}

function noteRefusal(error: unknown, cache: CatalogueCache, onRefused: () => void): void {
  if (!(error instanceof ApiError)) return;
  if (error.code === 'permission_required') onRefused();
  if (error.status === 404) void cache.refresh();
}
