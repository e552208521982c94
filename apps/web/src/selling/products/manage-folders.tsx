import {
  createFolder,
  DESCRIPTION_MAX_CHARS,
  type Folder,
} from '@stagedoor/contract/selling/products';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { leave } from '../../lib/leave-guard.ts';
import { ApiError, call, errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { LoadingLine } from '../../ui/loading-line.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { DiscardQuestion } from '../../ui/overlay/discard-question.tsx';
import { QueryError, type QueryErrorProps } from '../../ui/query-error.tsx';
import { FolderRow } from './folder-row.tsx';
import type { CatalogueCache } from './use-catalogue.ts';

const NAME_MAX_CHARS = 200;

const FORM = 'folders';
const RENAME = `${FORM}/rename`;

interface ManageFoldersProps {
  /** Undefined while loading. */
  folders: readonly Folder[] | undefined;
  counts: ReadonlyMap<string, number>;
  /** The folders' query if it failed; otherwise null. */
  failed: QueryErrorProps['query'] | null;
  cache: CatalogueCache;
  onRefused: () => void;
  onClose: () => void;
}

export function ManageFolders(props: ManageFoldersProps) {
  const { folders, counts, failed, cache, onRefused, onClose } = props;
  const [renamedId, setRenamedId] = useState<string | null>(null);
  const [isRenameDirty, setRenameDirty] = useState(false);
  const [texts, setTexts] = useState({ name: '', description: '' });
  const isDirty = isRenameDirty || texts.name.trim() !== '' || texts.description.trim() !== '';
  const close = () => leave(onClose, FORM);
  return (
    <Dialog
      isWide
      title={t('Manage Folders')}
      subtitle={t('Folders organize products for staff. Fans don’t see them.')}
      onClose={close}
      footer={<Button onClick={close}>{t('Close')}</Button>}
    >
      <div className="flex flex-col gap-4">
        <CreateFolder texts={texts} onChange={setTexts} cache={cache} onRefused={onRefused} />
        {failed && <QueryError query={failed} text={t('Failed to fetch folders')} />}
        {folders === undefined && !failed && <LoadingLine text={t('Loading folders...')} />}
        {folders?.length === 0 && (
          <p className="py-4 text-center text-control text-fg-3">{t('No folders yet.')}</p>
        )}
        {folders !== undefined && folders.length > 0 && (
          <ul
            aria-label={t('Folders')}
            className="divide-y divide-line rounded-card border border-line"
          >
            {folders.map((folder) => (
              <FolderRow
                key={folder.id}
                folder={folder}
                count={counts.get(folder.id) ?? 0}
                isRenamed={renamedId === folder.id}
                onRename={(isOn) => {
                  const go = () => {
                    setRenamedId(isOn ? folder.id : null);
                    setRenameDirty(false);
                  };
                  if (isOn) leave(go, RENAME);
                  else go();
                }}
                onDirty={setRenameDirty}
                cache={cache}
                onRefused={onRefused}
              />
            ))}
          </ul>
        )}
      </div>
      {isDirty && (
        <DiscardQuestion
          form={isRenameDirty ? RENAME : FORM}
          text={t('Your changes aren’t saved.')}
        />
      )}
    </Dialog>
  );
}

interface CreateFolderProps extends Pick<ManageFoldersProps, 'cache' | 'onRefused'> {
  texts: { name: string; description: string };
  onChange: (texts: { name: string; description: string }) => void;
}

function CreateFolder({ texts, onChange, cache, onRefused }: CreateFolderProps) {
  const [isMissing, setMissing] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const focusName = () => form.current?.querySelector<HTMLInputElement>('input')?.focus();
  const create = useMutation({
    mutationFn: (body: Pick<Folder, 'name' | 'description'>) => call(createFolder, { body }),
    onSuccess: ({ data }) => {
      cache.putFolder(data);
      onChange({ name: '', description: '' });
    },
    onError: (failure) => {
      if (failure instanceof ApiError && failure.code === 'permission_required') onRefused();
    },
    onSettled: focusName,
  });
  const error = isMissing
    ? t('Folder name is required')
    : create.isError
      ? errorText(create.error, t('Failed to create folder'))
      : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const name = texts.name.trim();
    if (create.isPending) return;
    setMissing(name === '');
    if (name === '') return focusName();
    create.mutate({ name, description: texts.description.trim() || null });
  };
  return (
    <form
      ref={form}
      noValidate
      aria-label={t('New folder')}
      onSubmit={submit}
      className="grid gap-3 rounded-card border border-line bg-surface-2 p-3 md:grid-cols-2"
    >
      <TextField
        label={t('Folder name')}
        autoComplete="off"
        aria-required="true"
        maxLength={NAME_MAX_CHARS}
        value={texts.name}
        readOnly={create.isPending}
        error={error}
        onChange={(event) => {
          setMissing(false);
          create.reset();
          onChange({ ...texts, name: event.target.value });
        }}
      />
      <TextField
        label={t('Description (optional)')}
        autoComplete="off"
        maxLength={DESCRIPTION_MAX_CHARS}
        value={texts.description}
        readOnly={create.isPending}
        onChange={(event) => onChange({ ...texts, description: event.target.value })}
      />
      <div className="flex justify-end md:col-span-2">
        <Button variant="primary" type="submit" busy={create.isPending}>
          {t('Create Folder')}
        </Button>
      </div>
    </form>
  );
}
