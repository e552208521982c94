import { t } from '../../lib/text/i18n.ts';
import { type DraftRule, isGroup, partsOf } from './draft-rule.ts';
import { conditionWords, type Names } from './fields.ts';
import { useNames } from './use-names.ts';

/** A rule in words: `Fans who match all of: Spent more than $50.00 · Not claimed by a teammate`. */
export function RuleWords({ rule }: { rule: DraftRule }) {
  const names = useNames();
  if (partsOf(rule).parts.length === 0) return 'all' in rule ? t('Every fan') : t('No fans');
  return 'all' in rule
    ? t('Fans who match all of: {conditions}', { conditions: wordsOf(rule, names) })
    : t('Fans who match any of: {conditions}', { conditions: wordsOf(rule, names) });
}

const wordsOf = (rule: DraftRule, names: Names): string =>
  partsOf(rule)
    .parts.map((part) => {
      if (!isGroup(part)) return conditionWords(part, names);
      const conditions = wordsOf(part, names);
      return 'all' in part
        ? t('(all of: {conditions})', { conditions })
        : t('(any of: {conditions})', { conditions });
    })
    .join(' · ');
