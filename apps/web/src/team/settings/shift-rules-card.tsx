import { CLOCK_IDLE_MAX_MINUTES, CLOCK_IDLE_MIN_MINUTES } from '@stagedoor/contract/team/settings';
import { t } from '../../lib/text/i18n.ts';
import { formatMinutes } from '../../lib/text/times.ts';
import { Rule } from './rule.tsx';
import { RuleSelect, RulesCard, useRules, withCurrent } from './rules-card.tsx';

const MINUTES = [CLOCK_IDLE_MIN_MINUTES, 10, 15, 20, 30, 45, 60, 90, 120, CLOCK_IDLE_MAX_MINUTES];

/** The rules for shifts. Changes apply at once. */
export function ShiftRulesCard() {
  const rules = useRules();
  const { query, set, isBusy } = rules;
  const { data } = query;
  return (
    <RulesCard
      title={t('Shifts')}
      subtitle={t('Who can work when, and what counts as working time.')}
      rules={rules}
    >
      <Rule
        title={t('Access only on shift')}
        text={t(
          'Outside their planned shifts, moderators and support can only read. Access begins 15 minutes before a shift and ends 15 minutes after it.',
        )}
        isOn={data?.access_only_on_shift}
        busy={isBusy('access_only_on_shift')}
        onChange={(on) => set({ access_only_on_shift: on })}
      />
      <Rule
        title={t('Stop idle clocks')}
        text={t(
          'After this long without activity, a clock stops. It counts up to the last activity.',
        )}
        isOn={data && null}
      >
        {data && (
          <RuleSelect
            label={t('Stop idle clocks')}
            value={data.clock_idle_minutes}
            options={withCurrent(MINUTES, data.clock_idle_minutes)}
            wordOf={formatMinutes}
            onChange={(minutes) => set({ clock_idle_minutes: minutes })}
          />
        )}
      </Rule>
      <Rule
        title={t('Team time zone')}
        text={t('Used for shifts, and for fans whose own time zone is unknown.')}
        isOn={data && null}
      >
        {data && (
          <RuleSelect
            label={t('Team time zone')}
            value={data.time_zone}
            options={[...new Set([data.time_zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]}
            wordOf={(zone) => zone.replaceAll('_', ' ')}
            onChange={(zone) => set({ time_zone: zone })}
          />
        )}
      </Rule>
    </RulesCard>
  );
}
