import { t } from '../../lib/text/i18n.ts';
import { Rule } from './rule.tsx';
import { RuleSelect, RulesCard, useRules } from './rules-card.tsx';

const PERIODS = ['weekly', 'two_weekly', 'monthly'] as const;
const WORDS = {
  weekly: t('Weekly'),
  two_weekly: t('Every two weeks'),
  monthly: t('Monthly'),
};

/** The rule for earnings. A change applies at once. */
export function EarningRulesCard() {
  const rules = useRules();
  const { data } = rules.query;
  return (
    <RulesCard title={t('Earnings')} subtitle={t('How often staff are paid.')} rules={rules}>
      <Rule
        title={t('Pay period')}
        text={t('A change applies to all open periods. A closed period never changes.')}
        isOn={data && null}
      >
        {data && (
          <RuleSelect
            label={t('Pay period')}
            value={data.earning_period}
            options={PERIODS}
            wordOf={(period) => WORDS[period]}
            onChange={(period) => rules.set({ earning_period: period })}
          />
        )}
      </Rule>
    </RulesCard>
  );
}
