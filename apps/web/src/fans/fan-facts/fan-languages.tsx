import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { FAN_LANGUAGES_MAX, type LanguageCode } from '@stagedoor/contract/language-codes';
import { useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { errorText } from '../../lib/server/api.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { displayName } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { languageName, languageNames } from '../../lib/text/language-names.ts';
import { languagesByName } from '../../lib/text/languages-by-name.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { SelectField } from '../../ui/form/select-field.tsx';
import { useSave } from '../../ui/overlay/use-save.ts';
import { fanFactsOptions, saveLanguages } from './queries.ts';

interface FanLanguagesProps {
  conversation: Conversation;
  /** The languages on the server. */
  stored: readonly LanguageCode[];
}

/** The languages that a fan speaks. Admins with the message privilege can edit them; each change is saved at once. */
export function FanLanguages({ conversation, stored }: FanLanguagesProps) {
  const canWrite = useAdmin().permissions.can_manage_messages;
  const { root, saving, change, pending } = useSavedLanguages(conversation);
  const [isEditing, setEditing] = useState(false);
  const edit = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !isEditing) edit.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  // Shows the new choice while it is being saved, and after a failed save.
  const shown = pending ?? (saving.isError ? saving.variables : stored);
  return (
    <div ref={root} className="flex flex-col gap-2">
      {isEditing && canWrite ? (
        <Editor languages={shown} onChange={change} onClose={() => setEditing(false)} />
      ) : (
        <span className="flex flex-wrap items-baseline gap-x-1">
          {shown.length > 0 ? (
            languageNames(shown)
          ) : (
            <span className="text-fg-3">{t('No languages added')}</span>
          )}
          {canWrite && (
            <Button
              ref={edit}
              size="small"
              variant="ghost"
              className="-my-1.5"
              aria-label={t('Edit Languages')}
              onClick={() => setEditing(true)}
            >
              {t('Edit')}
            </Button>
          )}
        </span>
      )}
      {saving.isError && (
        <ErrorBox text={problemOf(saving.error)} onRetry={() => change(saving.variables)} />
      )}
    </div>
  );
}

const problemOf = (error: unknown) => errorText(error, t('Couldn’t save the languages'));

/** Saves the whole list. */
function useSavedLanguages({ id, fan }: Conversation) {
  const client = useQueryClient();
  return useSave<readonly LanguageCode[]>({
    key: ['languages', id],
    save: async (wanted) => {
      const { languages } = await saveLanguages(id, wanted);
      const { queryKey } = fanFactsOptions(id);
      client.setQueryData(queryKey, (facts) => facts && { ...facts, languages });
      // A response requested earlier would show the old languages.
      void client.invalidateQueries({ queryKey });
    },
    textOf: (error) =>
      t('{name}: {problem}', { name: displayName(fan), problem: problemOf(error) }),
  });
}

interface EditorProps {
  languages: readonly LanguageCode[];
  onChange: (languages: readonly LanguageCode[]) => void;
  onClose: () => void;
}

function Editor({ languages, onChange, onClose }: EditorProps) {
  const [chosen, setChosen] = useState<LanguageCode | ''>('');
  const select = useRef<HTMLSelectElement>(null);
  const done = useRef<HTMLButtonElement>(null);
  useEffect(() => (select.current?.disabled ? done : select).current?.focus(), []);
  const isFull = languages.length >= FAN_LANGUAGES_MAX;
  const add = () => {
    if (isFull) return;
    const isLast = chosen !== '' && languages.length + 1 === FAN_LANGUAGES_MAX;
    // Focuses the select for another language, or Done if the list is full.
    (isLast ? done : select).current?.focus();
    setChosen('');
    // A teammate may have added the same language in the meantime.
    if (chosen !== '' && !languages.includes(chosen)) onChange([...languages, chosen]);
  };
  const remove = (code: LanguageCode) => {
    // The button is removed with its language, so the focus moves to Done.
    done.current?.focus();
    onChange(languages.filter((other) => other !== code));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    // Closes the editor only, not the panel.
    event.preventDefault();
    onClose();
  };
  return (
    <fieldset
      aria-label={t('Languages')}
      onKeyDown={onKeyDown}
      className="flex min-w-0 flex-col gap-2"
    >
      {languages.length > 0 && (
        <ul className="flex flex-wrap gap-1">
          {languages.map((code) => (
            <li
              key={code}
              className="flex h-7 max-w-full items-center rounded-chip bg-surface-2 ps-2 coarse:h-11"
            >
              <span className="truncate">{languageName(code)}</span>
              <button
                type="button"
                aria-label={t('Remove {name}', { name: languageName(code) })}
                onClick={() => remove(code)}
                className="flex size-7 shrink-0 items-center justify-center rounded-chip text-fg-2 transition-colors duration-80 hover:bg-hover hover:text-fg focus-visible:-outline-offset-2 coarse:size-11"
              >
                <X size={14} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <SelectField
        ref={select}
        label={t('Add a language')}
        value={chosen}
        disabled={isFull}
        onChange={(event) => setChosen(event.currentTarget.value as LanguageCode | '')}
      >
        <option value="">
          {isFull ? t('Limit of {count} reached', { count: FAN_LANGUAGES_MAX }) : t('Choose one')}
        </option>
        {languagesByName()
          .filter(([code]) => !languages.includes(code))
          .map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
      </SelectField>
      <div className="flex flex-wrap gap-2">
        <Button aria-disabled={isFull || undefined} onClick={add}>
          {t('Add')}
        </Button>
        <Button ref={done} variant="ghost" onClick={onClose}>
          {t('Done')}
        </Button>
      </div>
    </fieldset>
  );
}
