import type { Folder, Product } from '@stagedoor/contract/selling/products';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { TextField } from '../../ui/form/text-field.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';

/** With more folders than this, the dialog has a search field. */
const MANY = 8;

interface MoveProductProps {
  product: Product;
  folders: readonly Folder[];
  onMove: (folderId: string | null) => void;
  onClose: () => void;
}

/** The dialog to choose a product's folder, as the alternative to dragging. */
export function MoveProduct({ product, folders, onMove, onClose }: MoveProductProps) {
  const formId = useId();
  const name = useId();
  const form = useRef<HTMLFormElement>(null);
  const [chosen, setChosen] = useState(product.folder_id);
  const [query, setQuery] = useState('');
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('input:checked')?.focus();
  }, []);
  const needle = query.trim().toLowerCase();
  const choices = [{ id: null, name: t('No folder') }, ...folders].filter((folder) =>
    folder.name.toLowerCase().includes(needle),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen !== product.folder_id) onMove(chosen);
  };
  return (
    <Dialog
      title={t('Move to Folder')}
      subtitle={product.title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            variant="primary"
            type="submit"
            form={formId}
            disabled={chosen === product.folder_id}
          >
            {t('Move')}
          </Button>
        </>
      }
    >
      <form ref={form} id={formId} onSubmit={submit} className="flex flex-col gap-3">
        {folders.length > MANY && (
          <TextField
            label={t('Find a folder')}
            type="search"
            autoComplete="off"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
        )}
        <fieldset aria-label={t('Folder')} className="-mx-2 flex flex-col">
          {choices.map((folder) => (
            <label
              key={folder.id}
              className={classes(
                'flex min-h-9 cursor-pointer items-center gap-2.5 rounded-control px-2 text-control transition-colors duration-80 hover:bg-hover coarse:min-h-11',
                'has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent-text',
                chosen === folder.id && 'bg-selected',
              )}
            >
              <input
                type="radio"
                name={name}
                checked={chosen === folder.id}
                onChange={() => setChosen(folder.id)}
                className="size-4 shrink-0 accent-accent outline-none"
              />
              <span className="min-w-0 flex-1 truncate">{folder.name}</span>
              {folder.id === product.folder_id && (
                <span className="text-meta text-fg-3">{t('Current folder')}</span>
              )}
            </label>
          ))}
        </fieldset>
        {choices.length === 0 && (
          <p role="status" className="pb-2 text-control text-fg-3">
            {t('No folders match “{query}”.', { query: query.trim() })}
          </p>
        )}
        {folders.length === 0 && (
          <p className="text-control text-fg-3">
            {t('No folders yet. Create them with Manage Folders at the top of the page.')}
          </p>
        )}
      </form>
    </Dialog>
  );
}
