import { useUnloadQuestion } from '@stagedoor/browser/use-unload-question';
import {
  TEMPLATE_FOLDER_MAX_CHARS,
  TEMPLATE_NAME_MAX_CHARS,
  TEMPLATE_TEXT_MAX_CHARS,
  TEMPLATE_VARIABLES,
  type Template,
} from '@stagedoor/contract/messaging/templates';
import { useQuery } from '@tanstack/react-query';
import { Paperclip } from 'lucide-react';
import { type FormEvent, useEffect, useId, useRef } from 'react';
import { leave } from '../../lib/leave-guard.ts';
import { errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { PRICE_INPUT } from '../../lib/text/price.ts';
import { productsOptions } from '../../selling/products/queries.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { ChosenFile } from '../../ui/form/chosen-file.tsx';
import { EditConflict } from '../../ui/form/edit-conflict.tsx';
import { FieldError } from '../../ui/form/field-error.tsx';
import { FilePicker } from '../../ui/form/file-picker.tsx';
import { Segments } from '../../ui/form/segments.tsx';
import { SelectField } from '../../ui/form/select-field.tsx';
import { TextAreaField, TextField } from '../../ui/form/text-field.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { DiscardQuestion } from '../../ui/overlay/discard-question.tsx';
import type { FormFile } from './form-files.ts';
import { templatesOptions } from './queries.ts';
import { type TemplateValues, useTemplateForm } from './use-template-form.ts';

const AUDIENCES = [
  { value: 'team', label: t('The whole team') },
  { value: 'me', label: t('Only me') },
] as const;

interface TemplateFormProps {
  /** Null for a new template. */
  template: Template | null;
  onDone: () => void;
}

export function TemplateForm({ template, onDone }: TemplateFormProps) {
  const form = useTemplateForm(template, onDone);
  const { values, errors, theirs, change } = form;
  const { data: templates = [] } = useQuery(templatesOptions);
  const element = useRef<HTMLFormElement>(null);
  const id = useId();
  useUnloadQuestion(form.isDirty);
  useEffect(() => element.current?.querySelector('input')?.focus(), []);
  const folders = [...new Set(templates.map(({ folder }) => folder))].filter(Boolean).toSorted();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const [wrong] = Object.keys(form.submit() ?? {});
    element.current?.querySelector<HTMLElement>(`[name="${wrong}"]`)?.focus();
  };
  const insert = (variable: string) => {
    const field = element.current?.querySelector('textarea');
    if (!field || field.readOnly) return;
    const { selectionStart: from, selectionEnd: to } = field;
    const token = `{${variable}}`;
    change({ content: values.content.slice(0, from) + token + values.content.slice(to) });
    field.focus();
    requestAnimationFrame(() => field.setSelectionRange(from + token.length, from + token.length));
  };
  return (
    <Dialog
      isWide
      title={template === null ? t('New Template') : t('Edit Template')}
      onClose={() => leave(onDone, 'template')}
      footer={
        <>
          <Button onClick={() => leave(onDone, 'template')}>{t('Cancel')}</Button>
          <Button variant="primary" type="submit" form={`${id}-form`} busy={form.isSaving}>
            {t('Save')}
          </Button>
        </>
      }
    >
      <form
        ref={element}
        id={`${id}-form`}
        noValidate
        onSubmit={submit}
        className="flex flex-col gap-4 pt-1"
      >
        {theirs !== null && (
          <EditConflict onMine={form.keepMine} onTheirs={form.takeTheirs} isSaving={form.isSaving}>
            {`${theirs.name}\n${theirs.content}`}
          </EditConflict>
        )}
        {form.failure !== null && (
          <ErrorBox text={errorText(form.failure, t('Couldn’t save the template'))} />
        )}
        <div className="grid gap-4 md:grid-cols-2">
          <TextField
            label={t('Name')}
            name="name"
            autoComplete="off"
            maxLength={TEMPLATE_NAME_MAX_CHARS}
            value={values.name}
            readOnly={form.isSaving}
            error={errors.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <TextField
            label={t('Folder (optional)')}
            name="folder"
            autoComplete="off"
            list={`${id}-folders`}
            maxLength={TEMPLATE_FOLDER_MAX_CHARS}
            value={values.folder}
            readOnly={form.isSaving}
            error={errors.folder}
            onChange={(event) => change({ folder: event.currentTarget.value })}
          />
          <datalist id={`${id}-folders`}>
            {folders.map((folder) => (
              <option key={folder} value={folder} />
            ))}
          </datalist>
        </div>
        <div>
          <TextAreaField
            label={t('Text')}
            name="content"
            dir="auto"
            rows={6}
            maxLength={TEMPLATE_TEXT_MAX_CHARS}
            value={values.content}
            readOnly={form.isSaving}
            aria-invalid={errors.content !== undefined || undefined}
            aria-describedby={`${id}-text`}
            onChange={(event) => change({ content: event.currentTarget.value })}
          />
          <div id={`${id}-text`} className="mt-1.5">
            {errors.content !== undefined && (
              <p role="alert" className="mb-1 text-meta text-danger-text">
                {errors.content}
              </p>
            )}
            <p className="flex flex-wrap items-center gap-1.5 text-meta text-fg-3">
              {t('Filled in for each fan:')}
              {TEMPLATE_VARIABLES.map((variable) => (
                <button
                  key={variable}
                  type="button"
                  onClick={() => insert(variable)}
                  className="touch-target rounded-chip border border-control bg-surface-2 px-1.5 py-0.5 font-mono text-meta text-fg-2 transition-colors duration-80 hover:bg-hover hover:text-fg"
                >
                  {`{${variable}}`}
                </button>
              ))}
            </p>
          </div>
        </div>
        {/* Disabled while saving, because the save would not include later input. */}
        <fieldset disabled={form.isSaving} className="contents">
          <TemplateProduct values={values} error={errors.price} onChange={change} />
          <TemplateFiles
            files={values.files}
            error={errors.attachments}
            onChoose={form.addFiles}
            onRemove={form.removeFile}
          />
          <div className="flex flex-wrap items-center gap-3">
            <span className="text-meta font-medium text-fg-2">{t('Who can use it')}</span>
            <Segments
              label={t('Who can use it')}
              options={AUDIENCES}
              current={values.isShared ? 'team' : 'me'}
              onChange={(audience) => change({ isShared: audience === 'team' })}
            />
          </div>
        </fieldset>
      </form>
      {form.isDirty && (form.isUploading || !form.isSaving) && (
        <DiscardQuestion form="template" text={t('The template isn’t saved.')} />
      )}
    </Dialog>
  );
}

interface TemplateFilesProps {
  files: readonly FormFile[];
  error: string | undefined;
  onChoose: (files: readonly File[]) => void;
  onRemove: (key: string) => void;
}

function TemplateFiles({ files, error, onChoose, onRemove }: TemplateFilesProps) {
  const picker = useRef<HTMLInputElement>(null);
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col items-start gap-1.5">
      <span className="text-meta font-medium text-fg-2">{t('Files (optional)')}</span>
      {files.length > 0 && (
        <ul aria-label={t('Selected files')} className="flex flex-wrap gap-2">
          {files.map((file) => (
            <ChosenFile key={file.key} file={file} onRemove={() => onRemove(file.key)} />
          ))}
        </ul>
      )}
      {error !== undefined && <FieldError id={`${id}-error`}>{error}</FieldError>}
      <Button
        name="attachments"
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        onClick={() => picker.current?.click()}
        icon={<Paperclip />}
      >
        {t('Add Files')}
      </Button>
      <FilePicker ref={picker} multiple onFiles={onChoose} />
    </div>
  );
}

interface TemplateProductProps {
  values: Pick<TemplateValues, 'productId' | 'price'>;
  error: string | undefined;
  onChange: (part: Partial<TemplateValues>) => void;
}

function TemplateProduct({ values, error, onChange }: TemplateProductProps) {
  const { data: products = [], isPending, isError } = useQuery(productsOptions);
  const choose = (productId: string) => {
    const product = products.find(({ id }) => id === productId);
    onChange({ productId, price: product?.price.toFixed(2) ?? '' });
  };
  const isKnown = values.productId === '' || products.some(({ id }) => id === values.productId);
  return (
    <div className="grid gap-4 md:grid-cols-[minmax(0,1fr)_140px]">
      <SelectField
        label={t('Product (optional)')}
        value={values.productId}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <option value="">
          {isPending
            ? t('Loading products...')
            : isError
              ? t('Failed to fetch products')
              : t('No product')}
        </option>
        {!isKnown && <option value={values.productId}>{t('Current product')}</option>}
        {products
          .filter(({ id, is_active }) => is_active || id === values.productId)
          .map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
      </SelectField>
      <TextField
        label={t('Price in US dollars')}
        name="price"
        {...PRICE_INPUT}
        disabled={values.productId === ''}
        value={values.price}
        error={error}
        onChange={(event) => onChange({ price: event.currentTarget.value })}
      />
    </div>
  );
}
