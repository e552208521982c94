import { locale, t } from '../../lib/text/i18n.ts';
import { type DraftRule, isGroup, partsOf } from './draft-rule.ts';
import { conditionWords, type Names } from './fields.ts';
import { useNames } from './use-names.ts';

/** A rule in words: `Fans who match all of: Spent more than $50.00 · Not claimed by a teammate`. */
export function RuleWords({ rule }: { rule: DraftRule }) {
  const names = useNames();
  if (partsOf(rule).parts.length === 0) return 'all' in rule ? t('Every fan') : t('No fans');
  const conditions = wordsOf(rule, names).join(' · ');
  return 'all' in rule
    ? t('Fans who match all of: {conditions}', { conditions })
    : t('Fans who match any of: {conditions}', { conditions });
}

const LISTS = {
  all: new Intl.ListFormat(locale, { type: 'conjunction' }),
  any: new Intl.ListFormat(locale, { type: 'disjunction' }),
};

const wordsOf = (rule: DraftRule, names: Names): string[] =>
  partsOf(rule).parts.map((part) =>
    isGroup(part)
      ? `(${LISTS[partsOf(part).name].format(wordsOf(part, names))})`
      : conditionWords(part, names),
  );
