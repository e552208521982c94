import {
  BANNED_WORD_MAX_CHARS,
  BANNED_WORDS_MAX,
  type GuardRails,
} from '@stagedoor/contract/messaging/guard-rails';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useRef } from 'react';
import { errorText } from '../../lib/server/api.ts';
import { formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { PRICE_INPUT } from '../../lib/text/price.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { EditConflict } from '../../ui/form/edit-conflict.tsx';
import { TextAreaField, TextField } from '../../ui/form/text-field.tsx';
import { LoadingLine } from '../../ui/loading-line.tsx';
import { DiscardQuestion } from '../../ui/overlay/discard-question.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { guardRailsOptions } from './queries.ts';
import { useGuardRailsForm, valuesOf, wordsIn } from './use-guard-rails-form.ts';

/** The settings for banned words and price limits in staff's messages. */
export function GuardRailsCard() {
  const rails = useQuery(guardRailsOptions);
  return (
    <Card
      title={t('Guard Rails')}
      subtitle={t(
        'Messages with these words, or with prices outside these limits, can’t be sent by anyone.',
      )}
    >
      <div className="border-t border-line p-4">
        {rails.data && <GuardRailsForm rails={rails.data} />}
        {rails.isPending && <LoadingLine text={t('Loading guard rails...')} />}
        {rails.isLoadingError && <QueryError query={rails} text={t('Couldn’t load guard rails')} />}
      </div>
    </Card>
  );
}

const PRICES = [
  { field: 'price_min', label: t('Minimum price in US dollars') },
  { field: 'price_max', label: t('Maximum price in US dollars') },
] as const;

function GuardRailsForm({ rails }: { rails: GuardRails }) {
  const form = useGuardRailsForm(rails);
  const { values, errors, change } = form;
  const element = useRef<HTMLFormElement>(null);
  const id = useId();
  const count = wordsIn(values.words).length;
  const theirs = valuesOf(rails);
  /** @param over the version to overwrite; by default the version that the edit started from */
  const submit = (over?: GuardRails) => {
    const [wrong] = Object.keys(form.submit(over) ?? {});
    element.current?.querySelector<HTMLElement>(`[name="${wrong}"]`)?.focus();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    submit();
  };
  return (
    <form ref={element} noValidate onSubmit={onSubmit} className="flex flex-col gap-4">
      {form.isStale && (
        <EditConflict
          onMine={() => submit(rails)}
          onTheirs={form.takeTheirs}
          isSaving={form.isSaving}
        >
          {theirs.words}
          {PRICES.map(({ field, label }) => `\n${label}: ${theirs[field] || t('No limit')}`)}
        </EditConflict>
      )}
      {form.failure !== null && (
        <ErrorBox text={errorText(form.failure, t('Couldn’t save guard rails'))} />
      )}
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_280px]">
        <div>
          <TextAreaField
            label={t('Words and phrases, one per line')}
            name="banned_words"
            rows={6}
            spellCheck={false}
            value={values.words}
            readOnly={form.isSaving}
            aria-invalid={errors.banned_words !== undefined || undefined}
            aria-describedby={`${id}-words`}
            onChange={(event) => change({ words: event.currentTarget.value })}
          />
          <p
            id={`${id}-words`}
            role={errors.banned_words === undefined ? undefined : 'alert'}
            className={`mt-1 text-meta ${errors.banned_words === undefined ? 'text-fg-3' : 'text-danger-text'}`}
          >
            {errors.banned_words ??
              t(
                '{count} of {most} entries, up to {length, plural, one {# character} other {# characters}} each. Only whole words match; case and accents are ignored.',
                {
                  count: formatCount(count),
                  most: formatCount(BANNED_WORDS_MAX),
                  length: BANNED_WORD_MAX_CHARS,
                },
              )}
          </p>
        </div>
        <div className="flex flex-col gap-4">
          {PRICES.map(({ field, label }) => (
            <TextField
              key={field}
              label={label}
              name={field}
              {...PRICE_INPUT}
              placeholder={t('No limit')}
              value={values[field]}
              readOnly={form.isSaving}
              error={errors[field]}
              onChange={(event) => change({ [field]: event.currentTarget.value })}
            />
          ))}
        </div>
      </div>
      <div className="flex items-center justify-end gap-3">
        <span role="status" className="text-meta text-fg-3">
          {form.isSaved && !form.isDirty && t('Saved')}
        </span>
        <Button variant="primary" type="submit" busy={form.isSaving} disabled={!form.isDirty}>
          {t('Save Guard Rails')}
        </Button>
      </div>
      {form.isDirty && (
        <DiscardQuestion
          form="guard-rails"
          text={t('Your changes to the guard rails aren’t saved.')}
        />
      )}
    </form>
  );
}
