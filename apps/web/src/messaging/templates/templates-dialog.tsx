import { formatPrice } from '@stagedoor/browser/money';
import { deleteTemplate, type Template } from '@stagedoor/contract/messaging/templates';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { NotebookText, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call, errorText } from '../../lib/server/api.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SearchField } from '../../ui/form/search-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { RetryIcon } from '../../ui/retry-icon.tsx';
import { CenteredSpinner } from '../../ui/spinner.tsx';
import { byFolder, fileCount, searchTemplates } from './cache.ts';
import { templatesOptions } from './queries.ts';
import { TemplateForm } from './template-form.tsx';

interface TemplatesDialogProps {
  /** Inserts a template into the reply; null if no reply is open. */
  onUse: ((template: Template) => void) | null;
  onClose: () => void;
}

export function TemplatesDialog({ onUse, onClose }: TemplatesDialogProps) {
  const [edited, setEdited] = useState<Template | 'new' | null>(null);
  if (edited !== null) {
    const back = () => setEdited(null);
    return <TemplateForm template={edited === 'new' ? null : edited} onDone={back} />;
  }
  return <TemplateList onUse={onUse} onEdit={setEdited} onClose={onClose} />;
}

interface TemplateListProps extends TemplatesDialogProps {
  onEdit: (template: Template | 'new') => void;
}

function TemplateList({ onUse, onEdit, onClose }: TemplateListProps) {
  const admin = useAdmin();
  const templates = useQuery(templatesOptions);
  const [query, setQuery] = useState('');
  const canWrite = admin.permissions.can_manage_messages;
  const shown = searchTemplates(templates.data ?? [], query);
  const mayChange = ({ is_shared, maker }: Template) =>
    canWrite && (maker.id === admin.id || (is_shared && admin.permissions.can_manage_admins));
  return (
    <Dialog
      isWide
      title={t('Templates')}
      subtitle={t('Reusable replies. Type / at the start of a reply to insert one.')}
      onClose={onClose}
      footer={
        <>
          {canWrite && (
            <Button className="me-auto" onClick={() => onEdit('new')} icon={<Plus />}>
              {t('New Template')}
            </Button>
          )}
          <Button onClick={onClose}>{t('Close')}</Button>
        </>
      }
    >
      <div className="min-h-60">
        {templates.isLoadingError && (
          <QueryError query={templates} text={t('Couldn’t load templates')} />
        )}
        {templates.isPending && (
          <div className="h-60">
            <CenteredSpinner text={t('Loading templates...')} />
          </div>
        )}
        {templates.data?.length === 0 && (
          <EmptyState
            icon={<NotebookText size={22} />}
            title={t('No templates yet')}
            text={t('Save the replies you write often, for yourself or for the whole team.')}
          />
        )}
        {templates.data !== undefined && templates.data.length > 0 && (
          <>
            <div className="sticky -top-1 z-1 -mt-1 bg-surface pt-1 pb-2.5">
              <SearchField
                label={t('Search templates')}
                placeholder={t('Search templates')}
                text={query}
                onChange={setQuery}
              />
            </div>
            {shown.length === 0 && (
              <p role="status" className="py-8 text-center text-control text-fg-3">
                {t('No matching templates')}
              </p>
            )}
            {byFolder(shown).map(({ folder, templates: kept }) => (
              <section key={folder} aria-label={folder === '' ? t('No folder') : folder}>
                {folder !== '' && (
                  <h3 className="pt-3 pb-1.5 text-meta font-semibold text-fg-2">{folder}</h3>
                )}
                <ul className="divide-y divide-line rounded-card border border-line">
                  {kept.map((template) => (
                    <TemplateRow
                      key={template.id}
                      template={template}
                      onUse={onUse && canWrite ? () => onUse(template) : null}
                      onEdit={mayChange(template) ? () => onEdit(template) : null}
                    />
                  ))}
                </ul>
              </section>
            ))}
          </>
        )}
      </div>
    </Dialog>
  );
}

interface TemplateRowProps {
  template: Template;
  onUse: (() => void) | null;
  /** Null if the viewer may not edit or delete the template. */
  onEdit: (() => void) | null;
}

function TemplateRow({ template, onUse, onEdit }: TemplateRowProps) {
  const { id, name, content, product, attachments, is_shared, uses, maker } = template;
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => call(deleteTemplate, { params: { id } }),
    onSuccess: () =>
      client.setQueryData(templatesOptions.queryKey, (all) =>
        all?.filter((each) => each.id !== id),
      ),
    onError: (error) => console.error('Failed to delete template', error),
  });
  return (
    <li className="flex items-start gap-2 py-2.5 pe-2 ps-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 truncate font-medium">{name}</span>
          {!is_shared && <Badge>{t('Only me')}</Badge>}
          {attachments.length > 0 && <Badge>{fileCount(attachments.length)}</Badge>}
          {product && (
            <Badge tone={product.is_active ? 'info' : 'warn'}>
              {product.is_active
                ? `${product.title} · ${formatPrice(product.price)}`
                : t('{product} · not for sale', { product: product.title })}
            </Badge>
          )}
        </p>
        {content.trim() !== '' && (
          <p
            dir="auto"
            className="line-clamp-2 text-control whitespace-pre-line wrap-break-word text-fg-2"
          >
            {content}
          </p>
        )}
        <p className="mt-0.5 text-meta text-fg-3">
          {is_shared && <span>{maker.codename} · </span>}
          {uses === 0 ? t('Not used yet') : t('Used {count}×', { count: formatCount(uses) })}
        </p>
      </div>
      <span className="flex shrink-0 items-center gap-0.5">
        {remove.isError && (
          <RetryIcon
            text={errorText(remove.error, t('Couldn’t delete the template'))}
            onRetry={() => remove.mutate()}
          />
        )}
        {onEdit && (
          <>
            <IconButton
              label={t('Edit {name}', { name })}
              onClick={onEdit}
              className="coarse:size-11"
              icon={<Pencil />}
            />
            <IconButton
              label={t('Delete {name}', { name })}
              onClick={() => setAsking(true)}
              disabled={remove.isPending}
              className="coarse:size-11"
              icon={<Trash2 />}
            />
          </>
        )}
        {onUse && (
          <Button aria-label={t('Use {name}', { name })} onClick={onUse} className="ms-1">
            {t('Use')}
          </Button>
        )}
      </span>
      {isAsking && (
        <ConfirmDialog
          title={t('Delete template "{name}"?', { name })}
          text={
            is_shared
              ? t('It will be deleted for the whole team.')
              : t('Only you can see this template.')
          }
          confirmLabel={t('Delete')}
          onClose={() => setAsking(false)}
          onConfirm={() => remove.mutate()}
        />
      )}
    </li>
  );
}
