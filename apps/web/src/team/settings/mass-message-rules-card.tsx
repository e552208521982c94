import { MASS_MESSAGES_MAX_A_DAY } from '@stagedoor/contract/team/settings';
import { formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { formatHour } from './format-hour.ts';
import { Rule } from './rule.tsx';
import { RuleSelect, RulesCard, useRules } from './rules-card.tsx';

/** The hours shown while quiet hours are off, and set when they are switched on. */
const USUAL = { quiet_from_hour: 22, quiet_until_hour: 8 } as const;

const CAPS = Array.from({ length: MASS_MESSAGES_MAX_A_DAY }, (_, index) => index + 1);
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** The rules for mass messages. Changes apply at once. */
export function MassMessageRulesCard() {
  const rules = useRules();
  const { query, set, isBusy } = rules;
  const { data } = query;
  const isQuiet = data && data.quiet_from_hour !== null;
  return (
    <RulesCard
      title={t('Mass Messages')}
      subtitle={t('These rules apply to every mass message.')}
      rules={rules}
    >
      <Rule
        title={t('Daily limit')}
        text={t('The most mass messages that a fan gets in a day of their time zone.')}
        isOn={data && null}
      >
        {data && (
          <RuleSelect
            label={t('Daily limit')}
            value={data.mass_messages_a_day}
            options={CAPS}
            wordOf={formatCount}
            onChange={(cap) => set({ mass_messages_a_day: cap })}
          />
        )}
      </Rule>
      <Rule
        title={t('Quiet hours')}
        text={t('Mass messages wait until these hours have passed where the fan is.')}
        isOn={isQuiet}
        busy={isBusy('quiet_from_hour')}
        onChange={(on) => set(on ? USUAL : { quiet_from_hour: null, quiet_until_hour: null })}
      >
        <span className="flex items-end gap-2">
          <RuleSelect
            label={t('Quiet from')}
            value={data?.quiet_from_hour ?? USUAL.quiet_from_hour}
            options={HOURS}
            disabled={!isQuiet}
            wordOf={formatHour}
            onChange={(hour) => set({ quiet_from_hour: hour })}
          />
          <RuleSelect
            label={t('Quiet until')}
            value={data?.quiet_until_hour ?? USUAL.quiet_until_hour}
            options={HOURS}
            disabled={!isQuiet}
            wordOf={formatHour}
            onChange={(hour) => set({ quiet_until_hour: hour })}
          />
        </span>
      </Rule>
    </RulesCard>
  );
}
