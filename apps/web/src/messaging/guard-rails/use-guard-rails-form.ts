import { parsePrice } from '@stagedoor/browser/money';
import {
  BANNED_WORD_MAX_CHARS,
  BANNED_WORDS_MAX,
  type GuardRails,
} from '@stagedoor/contract/messaging/guard-rails';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { NO_PRICE } from '../../lib/text/price.ts';
import { guardRailsOptions, saveGuardRails } from './queries.ts';

interface Values {
  /** One per line. */
  words: string;
  /** Empty for no limit. */
  price_min: string;
  price_max: string;
}

type Errors = Partial<Record<'banned_words' | 'price_min' | 'price_max', string>>;

const shown = (price: number | null) => price?.toFixed(2) ?? '';

/** Returns the form values for guard rails. */
export const valuesOf = (rails: GuardRails): Values => ({
  words: rails.banned_words.join('\n'),
  price_min: shown(rails.price_min),
  price_max: shown(rails.price_max),
});

/** Returns the words in a text that has one word or phrase per line. */
export const wordsIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

function errorsOf({ words, price_min, price_max }: Values): Errors {
  const all = wordsIn(words);
  const long = all.find((word) => word.length > BANNED_WORD_MAX_CHARS);
  const [min, max] = [parsePrice(price_min), parsePrice(price_max)];
  return {
    ...(all.length > BANNED_WORDS_MAX && {
      banned_words: t('Too many entries. Remove some.'),
    }),
    ...(long !== undefined && {
      banned_words: t('Shorten “{word}…”', { word: long.slice(0, 30) }),
    }),
    ...(price_min.trim() !== '' && min === null && { price_min: NO_PRICE }),
    ...(price_max.trim() !== '' && max === null && { price_max: NO_PRICE }),
    ...(min !== null &&
      max !== null &&
      max < min && { price_max: t('Enter a maximum above the minimum') }),
  };
}

/** Manages the guard rails form. A teammate's change doesn't overwrite unsaved input. */
export function useGuardRailsForm(rails: GuardRails) {
  const client = useQueryClient();
  const [base, setBase] = useState(rails);
  const [values, setValues] = useState(() => valuesOf(rails));
  const [errors, setErrors] = useState<Errors>({});
  const before = valuesOf(base);
  const isDirty = (Object.keys(values) as (keyof Values)[]).some(
    (field) => values[field] !== before[field],
  );
  const show = (next: GuardRails) => {
    setBase(next);
    setValues(valuesOf(next));
    setErrors({});
  };
  // Without unsaved input, changes made elsewhere show at once.
  if (rails.version !== base.version && !isDirty) show(rails);
  const save = useMutation({
    mutationFn: (version: number) =>
      saveGuardRails({
        version,
        banned_words: wordsIn(values.words),
        price_min: parsePrice(values.price_min),
        price_max: parsePrice(values.price_max),
      }),
    onSuccess: (saved) => {
      show(saved);
      client.setQueryData(guardRailsOptions.queryKey, saved);
    },
    onError: (error) => {
      if (!(error instanceof ApiError)) return;
      if (error.code === 'edit_conflict')
        void client.invalidateQueries({ queryKey: guardRailsOptions.queryKey });
      setErrors(error.fields);
    },
  });
  const isConflict = save.error instanceof ApiError && save.error.code === 'edit_conflict';
  return {
    values,
    errors,
    isDirty,
    isSaving: save.isPending,
    isSaved: save.isSuccess,
    /** Whether unsaved input is based on an outdated version. */
    isStale: isDirty && rails.version !== base.version,
    failure: save.isError && !isConflict && Object.keys(errors).length === 0 ? save.error : null,
    change(part: Partial<Values>) {
      setValues((held) => ({ ...held, ...part }));
      setErrors({});
      if (!save.isPending) save.reset();
    },
    takeTheirs: () => show(rails),
    /**
     * Saves the input, which overwrites the given version.
     * @returns the errors if nothing is saved; null while it is being saved
     */
    submit(over: GuardRails = base): Errors | null {
      if (save.isPending || !isDirty) return null;
      const wrong = errorsOf(values);
      setErrors(wrong);
      if (Object.keys(wrong).length > 0) return wrong;
      save.mutate(over.version);
      return null;
    },
  };
}
