import { CLOCK_IDLE_MAX_MINUTES, CLOCK_IDLE_MIN_MINUTES } from '@stagedoor/contract/team/settings';
import { useQuery } from '@tanstack/react-query';
import { errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { formatMinutes } from '../../lib/text/times.ts';
import { Card } from '../../ui/card.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { SelectField } from '../../ui/form/select-field.tsx';
import { type Rules, settingsOptions, useSaveSettings } from './queries.ts';
import { Rule } from './rule.tsx';

/** The offered values. A different value set through the API is offered too. */
const MINUTES = [CLOCK_IDLE_MIN_MINUTES, 10, 15, 20, 30, 45, 60, 90, 120, CLOCK_IDLE_MAX_MINUTES];

/** The rules for shifts. Changes apply at once. */
export function ShiftRulesCard() {
  const { data, isError } = useQuery(settingsOptions);
  const save = useSaveSettings();
  const set = (change: Partial<Rules>) => {
    if (!save.isPending) save.mutate(change);
  };
  // The card above says that the rules couldn't be loaded.
  if (data === undefined && isError) return null;
  const idle = data?.clock_idle_minutes ?? CLOCK_IDLE_MIN_MINUTES;
  const offered = [...new Set([...MINUTES, idle])].toSorted((a, b) => a - b);
  return (
    <Card title={t('Shifts')} subtitle={t('Who can act when, and what counts as working time.')}>
      {save.isError && (
        <div className="px-4 pb-3">
          <ErrorBox text={errorText(save.error, t('Couldn’t change the rule'))} />
        </div>
      )}
      <ul aria-label={t('Shifts')} aria-busy={data === undefined} className="border-t border-line">
        <Rule
          title={t('Access only on shift')}
          text={t(
            'Outside their planned shifts, moderators and support can read, not act. There are 15 minutes before and after.',
          )}
          isOn={data?.access_only_on_shift}
          busy={save.isPending}
          onChange={(on) => set({ access_only_on_shift: on })}
        />
        <Rule
          title={t('Stop idle clocks')}
          text={t('A clock stops at the last act when nothing has been done for this long.')}
          isOn={data && null}
        >
          {data && (
            <SelectField
              label={t('Stop idle clocks')}
              isLabelHidden
              value={idle}
              onChange={({ currentTarget: { value } }) =>
                set({ clock_idle_minutes: Number(value) })
              }
            >
              {offered.map((minutes) => (
                <option key={minutes} value={minutes}>
                  {formatMinutes(minutes)}
                </option>
              ))}
            </SelectField>
          )}
        </Rule>
        <Rule
          title={t('Team time zone')}
          text={t('Shifts are planned in it. Fans whose time zone is unknown have it too.')}
          isOn={data && null}
        >
          {data && (
            <SelectField
              label={t('Team time zone')}
              isLabelHidden
              value={data.time_zone}
              onChange={({ currentTarget: { value } }) => set({ time_zone: value })}
            >
              {[...new Set([data.time_zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].map(
                (zone) => (
                  <option key={zone} value={zone}>
                    {zone.replaceAll('_', ' ')}
                  </option>
                ),
              )}
            </SelectField>
          )}
        </Rule>
      </ul>
    </Card>
  );
}
