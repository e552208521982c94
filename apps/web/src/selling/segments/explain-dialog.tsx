import { useQuery } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { inboxSearchOptions, searchQueryOf } from '../../inbox/list/queries.ts';
import { displayName } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { Button } from '../../ui/button.tsx';
import { SearchField } from '../../ui/form/search-field.tsx';
import { LoadingLine } from '../../ui/loading-line.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { conditionsOf, type DraftRule, isGroup, partsOf } from './draft-rule.ts';
import { actualWords, conditionWords } from './fields.ts';
import { explainOptions } from './queries.ts';
import { useNames } from './use-names.ts';

/** A fan for whom a rule's conditions are explained. */
export interface ExplainedFan {
  conversation_id: string;
  display_name: string;
}

interface ExplainDialogProps {
  /** A rule whose conditions all have values. */
  rule: DraftRule;
  /** Null to search for a fan first. */
  fan: ExplainedFan | null;
  onClose: () => void;
}

/** Shows why a fan matches a rule or doesn't: each condition with the fan's own value. */
export function ExplainDialog({ rule, fan: asked, onClose }: ExplainDialogProps) {
  const [fan, setFan] = useState(asked);
  return (
    <Dialog
      title={fan === null ? t('Check a Fan') : t('Why {name}?', { name: fan.display_name })}
      onClose={onClose}
      footer={
        <>
          {fan !== null && (
            <Button className="me-auto" onClick={() => setFan(null)}>
              {t('Check Another Fan')}
            </Button>
          )}
          <Button onClick={onClose}>{t('Close')}</Button>
        </>
      }
    >
      {fan === null ? <FanSearch onChoose={setFan} /> : <Explanation rule={rule} fan={fan} />}
    </Dialog>
  );
}

/** Milliseconds without typing before the search starts. */
const SEARCH_DELAY_MS = 200;

function FanSearch({ onChoose }: { onChoose: (fan: ExplainedFan) => void }) {
  const [text, setText] = useState('');
  const query = searchQueryOf(useDebounced(text, SEARCH_DELAY_MS));
  const found = useQuery({ ...inboxSearchOptions(query ?? ''), enabled: query !== null });
  return (
    <div className="flex min-h-48 flex-col gap-2">
      <SearchField
        label={t('Search fans')}
        placeholder={t('Search fans')}
        text={text}
        onChange={setText}
      />
      {query !== null && found.isPending && <LoadingLine text={t('Searching...')} />}
      {found.error && <QueryError query={found} text={t('Failed to search')} />}
      {found.data?.length === 0 && (
        <p role="status" className="py-4 text-control text-fg-3">
          {t('No fans found')}
        </p>
      )}
      <ul aria-label={t('Search results')} className="flex flex-col empty:hidden">
        {found.data?.map(({ id, fan }) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => onChoose({ conversation_id: id, display_name: displayName(fan) })}
              className="flex min-h-9 w-full items-center rounded-chip px-2 text-start text-control hover:bg-hover focus-visible:-outline-offset-2 coarse:min-h-11"
            >
              <span dir="auto" className="truncate">
                {displayName(fan)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Explanation({ rule, fan }: { rule: DraftRule; fan: ExplainedFan }) {
  const explained = useQuery(explainOptions(rule, fan.conversation_id));
  const { data, error } = explained;
  if (error) {
    return <QueryError query={explained} text={t('Couldn’t check this fan')} />;
  }
  if (data === undefined) return <LoadingLine text={t('Checking...')} />;
  const name = fan.display_name;
  return (
    <>
      <p role="status" className="mb-3 font-medium">
        {data.matches ? t('{name} matches.', { name }) : t('{name} doesn’t match.', { name })}
      </p>
      <Group
        rule={rule}
        path=""
        results={new Map(data.conditions.map((each) => [each.path, each]))}
      />
    </>
  );
}

interface GroupProps {
  rule: DraftRule;
  /** The path of the group, with a dot at its end; empty for the whole rule. */
  path: string;
  results: ReadonlyMap<string, { matches: boolean; actual: Parameters<typeof actualWords>[1] }>;
}

function Group({ rule, path, results }: GroupProps) {
  const names = useNames();
  const { name, parts } = partsOf(rule);
  if (conditionsOf(rule).length === 0)
    return (
      <p className="text-control text-fg-2">{name === 'all' ? t('Every fan') : t('No fans')}</p>
    );
  return (
    <>
      <p className="text-meta text-fg-3">
        {name === 'all' ? t('All of these have to match:') : t('One of these has to match:')}
      </p>
      <ul className="flex flex-col divide-y divide-line">
        {parts.map((part, index) => {
          const at = `${path}${name}.${index}`;
          if (isGroup(part)) {
            return (
              <li key={at} className="border-s-2 border-line py-2 ps-3">
                <Group rule={part} path={`${at}.`} results={results} />
              </li>
            );
          }
          const result = results.get(at);
          if (result === undefined) return null;
          return (
            <li key={at} className="flex items-start gap-2 py-2 text-control">
              {result.matches ? (
                <Check role="img" aria-label={t('matches')} className="text-good" />
              ) : (
                <X role="img" aria-label={t('doesn’t match')} className="text-danger-text" />
              )}
              <span className="min-w-0 flex-1">
                {conditionWords(part, names)}
                <span className="block text-meta wrap-break-word text-fg-3">
                  {t('This fan: {value}', { value: actualWords(part.field, result.actual) })}
                </span>
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}
