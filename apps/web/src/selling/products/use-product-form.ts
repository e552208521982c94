import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../lib/server/api.ts';
import {
  errorOf,
  errorsOf,
  type FormErrors,
  type ProductTexts,
  withoutErrors,
} from './product-form.ts';

/** Manages a product form's values and errors. */
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

  /** Shows errors and focuses the first invalid field. */
  const object = (wrong: FormErrors) => {
    setErrors(wrong);
    setObjections((count) => count + 1);
  };
  return {
    form,
    texts,
    errors,
    /** Updates fields and clears their errors. */
    write(change: Partial<ProductTexts>) {
      setTexts((held) => ({ ...held, ...change }));
      const written = Object.keys(change) as (keyof ProductTexts)[];
      const settled = written.map(errorOf);
      setErrors((held) => withoutErrors(held, ['form', ...settled]));
    },
    setErrors,
    object,
    /**
     * Shows why the server rejected the product.
     * @param fallback the text to show if the server sends none
     */
    refuse(error: unknown, fallback: string) {
      console.error(fallback, error);
      if (error instanceof ApiError && error.code === 'permission_required') onRefused();
      object(errorsOf(error, fallback));
    },
  };
}
