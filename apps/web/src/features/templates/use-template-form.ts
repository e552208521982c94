import type { Template } from '@stagedoor/contract/templates';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../lib/api.ts';
import { t } from '../../lib/i18n.ts';
import { NO_PRICE, parsePrice } from '../../lib/price.ts';
import { withTemplate } from './cache.ts';
import { saveTemplate, type TemplateDetails, templatesOptions } from './queries.ts';

/** What is typed and chosen in the form. */
export interface TemplateValues {
  name: string;
  content: string;
  folder: string;
  /** Empty for none. */
  productId: string;
  price: string;
  isShared: boolean;
}

export type TemplateErrors = Partial<Record<'name' | 'content' | 'folder' | 'price', string>>;

export function valuesOf(template: Template | null): TemplateValues {
  return {
    name: template?.name ?? '',
    content: template?.content ?? '',
    folder: template?.folder ?? '',
    productId: template?.product?.id ?? '',
    price: template?.product?.price.toFixed(2) ?? '',
    isShared: template?.is_shared ?? true,
  };
}

function errorsOf(values: TemplateValues): TemplateErrors {
  const offers = values.productId !== '';
  return {
    ...(values.name.trim() === '' && { name: t('Please enter a name') }),
    ...(values.content.trim() === '' &&
      !offers && { content: t('Please write a text or choose a product') }),
    ...(offers && parsePrice(values.price) === null && { price: NO_PRICE }),
  };
}

function detailsOf(values: TemplateValues): TemplateDetails {
  const price = parsePrice(values.price);
  return {
    name: values.name.trim(),
    content: values.content.trim(),
    folder: values.folder.trim(),
    product: values.productId === '' || price === null ? null : { id: values.productId, price },
    is_shared: values.isShared,
  };
}

const isSame = (a: TemplateValues, b: TemplateValues) =>
  (Object.keys(a) as (keyof TemplateValues)[]).every((field) => a[field] === b[field]);

/** A template's form. What a colleague saved meanwhile is shown beside what is typed, which stays. */
export function useTemplateForm(template: Template | null, onDone: () => void) {
  const client = useQueryClient();
  const [base, setBase] = useState(template);
  const [values, setValues] = useState(() => valuesOf(template));
  const [errors, setErrors] = useState<TemplateErrors>({});
  /** What a colleague saved. */
  const [theirs, setTheirs] = useState<Template | null>(null);
  const save = useMutation({
    mutationFn: (before: Template | null) => saveTemplate(before, detailsOf(values)),
    onSuccess: (saved) => {
      client.setQueryData(templatesOptions.queryKey, (all) => all && withTemplate(all, saved));
      onDone();
    },
    onError: (error) => {
      if (!(error instanceof ApiError)) return;
      if (error.code === 'edit_conflict' && error.current)
        setTheirs(error.current as unknown as Template);
      setErrors(error.fields);
    },
  });
  const isDirty = !isSame(values, valuesOf(base));
  return {
    values,
    errors,
    theirs,
    isDirty,
    isSaving: save.isPending,
    /** What went wrong with none of the fields. */
    failure:
      save.isError && theirs === null && Object.keys(errors).length === 0 ? save.error : null,
    change(part: Partial<TemplateValues>) {
      setValues((held) => ({ ...held, ...part }));
      setErrors({});
    },
    /** @returns what is wrong, with nothing saved; null: it is being saved */
    submit(): TemplateErrors | null {
      if (save.isPending) return null;
      const wrong = errorsOf(values);
      setErrors(wrong);
      if (Object.keys(wrong).length > 0) return wrong;
      save.mutate(base);
      return null;
    },
    /** Saves what is typed over what the colleague saved. */
    keepMine() {
      if (theirs === null) return;
      setBase(theirs);
      setTheirs(null);
      save.mutate(theirs);
    },
    takeTheirs() {
      if (theirs === null) return;
      setBase(theirs);
      setValues(valuesOf(theirs));
      setTheirs(null);
      save.reset();
    },
  };
}
