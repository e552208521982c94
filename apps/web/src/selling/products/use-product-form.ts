import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../lib/server/api.ts';
import {
  errorOf,
  errorsOf,
  type FormErrors,
  type ProductTexts,
  withoutErrors,
} from './product-form.ts';

/** A product's form while it is filled in: what stands in its fields, and what is wrong with them. */
export function useProductForm(
  initial: ProductTexts,
  onRefused: () => void,
  initialErrors: FormErrors = {},
) {
  const form = useRef<HTMLFormElement>(null);
  const [texts, setTexts] = useState(initial);
  const [errors, setErrors] = useState(initialErrors);
  const [objections, setObjections] = useState(0);
  useEffect(() => {
    if (objections === 0) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [objections]);

  /** Shows what is wrong, and goes to the first of it. */
  const object = (wrong: FormErrors) => {
    setErrors(wrong);
    setObjections((count) => count + 1);
  };
  return {
    form,
    texts,
    errors,
    /** What was wrong with a field is not said of what is typed into it next. */
    write(change: Partial<ProductTexts>) {
      setTexts((held) => ({ ...held, ...change }));
      const written = Object.keys(change) as (keyof ProductTexts)[];
      const settled = written.map(errorOf);
      setErrors((held) => withoutErrors(held, ['form', ...settled]));
    },
    setErrors,
    object,
    /** Shows why the server did not take it. @param fallback where it did not say */
    refuse(error: unknown, fallback: string) {
      console.error(fallback, error);
      if (error instanceof ApiError && error.code === 'permission_required') onRefused();
      object(errorsOf(error, fallback));
    },
  };
}
