import { parsePrice } from '@stagedoor/browser/money';
import type { Template } from '@stagedoor/contract/messaging/templates';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { NO_PRICE } from '../../lib/text/price.ts';
import { withTemplate } from './cache.ts';
import {
  areSame,
  type FormFile,
  filesOf,
  overTheirs,
  release,
  uploadAll,
  withChosen,
} from './form-files.ts';
import { saveTemplate, type TemplateDetails, templatesOptions } from './queries.ts';

export interface TemplateValues {
  name: string;
  content: string;
  folder: string;
  /** Empty for none. */
  productId: string;
  price: string;
  files: readonly FormFile[];
  isShared: boolean;
}

export type TemplateErrors = Partial<
  Record<'name' | 'content' | 'folder' | 'price' | 'attachments', string>
>;

/** Thrown when a file could not be uploaded. Each file shows its own error. */
class NotUploaded extends Error {}

function valuesOf(template: Template | null): TemplateValues {
  return {
    name: template?.name ?? '',
    content: template?.content ?? '',
    folder: template?.folder ?? '',
    productId: template?.product?.id ?? '',
    price: template?.product?.price.toFixed(2) ?? '',
    files: filesOf(template),
    isShared: template?.is_shared ?? true,
  };
}

function errorsOf(values: TemplateValues): TemplateErrors {
  const offers = values.productId !== '';
  return {
    ...(values.name.trim() === '' && { name: t('Enter a name') }),
    ...(values.content.trim() === '' &&
      !offers &&
      values.files.length === 0 && {
        content: t('Enter text, choose a product or add a file'),
      }),
    ...(offers && parsePrice(values.price) === null && { price: NO_PRICE }),
  };
}

function detailsOf(values: TemplateValues, attachments: { id: string }[]): TemplateDetails {
  const price = parsePrice(values.price);
  return {
    name: values.name.trim(),
    content: values.content.trim(),
    folder: values.folder.trim(),
    product: values.productId === '' || price === null ? null : { id: values.productId, price },
    attachments,
    is_shared: values.isShared,
  };
}

const goneText = (count: number) =>
  t(
    '{count, plural, one {A teammate deleted # file. Add it again, or save without it.} other {A teammate deleted # files. Add them again, or save without them.}}',
    { count },
  );

const isSame = (a: TemplateValues, b: TemplateValues) =>
  (Object.keys(a) as (keyof TemplateValues)[]).every((field) =>
    field === 'files' ? areSame(a.files, b.files) : a[field] === b[field],
  );

/** Manages a template's form. A teammate's newer version is shown beside the user's input, which is kept. */
export function useTemplateForm(template: Template | null, onDone: () => void) {
  const client = useQueryClient();
  const [base, setBase] = useState(template);
  const [values, setValues] = useState(() => valuesOf(template));
  const [errors, setErrors] = useState<TemplateErrors>({});
  const [theirs, setTheirs] = useState<Template | null>(null);
  const uploads = useRef<AbortController>(null);
  const files = useRef(values.files);
  useEffect(() => {
    files.current = values.files;
  });
  useEffect(
    () => () => {
      uploads.current?.abort();
      release(files.current);
    },
    [],
  );
  const changeFile = (key: string, part: Partial<FormFile>) =>
    setValues((held) => ({
      ...held,
      files: held.files.map((file) => (file.key === key ? { ...file, ...part } : file)),
    }));
  const save = useMutation({
    mutationFn: async ({ before, typed }: { before: Template | null; typed: TemplateValues }) => {
      uploads.current = new AbortController();
      const attachments = await uploadAll(typed.files, changeFile, uploads.current.signal);
      if (attachments === null) throw new NotUploaded();
      return saveTemplate(before, detailsOf(typed, attachments));
    },
    onSuccess: (saved) =>
      client.setQueryData(templatesOptions.queryKey, (all) => all && withTemplate(all, saved)),
    onError: (error) => {
      if (error instanceof NotUploaded)
        setErrors({ attachments: t('Failed to upload files. Please try again.') });
      if (!(error instanceof ApiError)) return;
      if (error.code === 'edit_conflict' && error.current)
        setTheirs(error.current as unknown as Template);
      if (error.code === 'invalid_attachment')
        setErrors({
          attachments: t('One of the files no longer exists. Remove it and add it again.'),
        });
      else setErrors(error.fields);
    },
  });
  /** Clears the errors of the previous attempt. */
  const begin = (wrong: TemplateErrors = {}) => {
    setErrors(wrong);
    if (save.isError) save.reset();
  };
  const isDirty = !isSame(values, valuesOf(base));
  return {
    values,
    errors,
    theirs,
    isDirty,
    isSaving: save.isPending,
    isUploading: values.files.some(({ status }) => status === 'uploading'),
    /** An error that belongs to no field. */
    failure:
      save.isError && theirs === null && Object.keys(errors).length === 0 ? save.error : null,
    change(part: Partial<TemplateValues>) {
      setValues((held) => ({ ...held, ...part }));
      begin();
    },
    /** Adds files. They are uploaded when the template is saved. */
    addFiles(chosen: readonly File[]) {
      const next = withChosen(values.files, chosen);
      setValues((held) => ({ ...held, files: next.files }));
      begin(next.problem === null ? {} : { attachments: next.problem });
    },
    removeFile(key: string) {
      release(values.files.filter((file) => file.key === key));
      setValues((held) => ({ ...held, files: held.files.filter((file) => file.key !== key) }));
      begin();
    },
    /** @returns the errors if nothing is saved; null while it is being saved */
    submit(): TemplateErrors | null {
      if (save.isPending) return null;
      const wrong = errorsOf(values);
      setErrors(wrong);
      if (Object.keys(wrong).length > 0) return wrong;
      save.mutate({ before: base, typed: values }, { onSuccess: onDone });
      return null;
    },
    /** Saves the user's version over the teammate's. */
    keepMine() {
      if (theirs === null) return;
      setBase(theirs);
      setTheirs(null);
      const { files: merged, lost } = overTheirs(values.files, base, theirs);
      const typed = { ...values, files: merged };
      setValues(typed);
      // Deleted files can't be restored.
      if (lost > 0) begin({ attachments: goneText(lost) });
      else save.mutate({ before: theirs, typed }, { onSuccess: onDone });
    },
    takeTheirs() {
      if (theirs === null) return;
      release(values.files);
      setBase(theirs);
      setValues(valuesOf(theirs));
      setTheirs(null);
      save.reset();
    },
  };
}
