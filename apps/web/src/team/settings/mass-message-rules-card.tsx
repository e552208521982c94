import { MASS_MESSAGES_MAX_A_DAY } from '@stagedoor/contract/team/settings';
import { useQuery } from '@tanstack/react-query';
import { errorText } from '../../lib/server/api.ts';
import { formatCount } from '../../lib/text/format.ts';
import { locale, t } from '../../lib/text/i18n.ts';
import { Card } from '../../ui/card.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { SelectField } from '../../ui/form/select-field.tsx';
import { type Rules, settingsOptions, useSaveSettings } from './queries.ts';
import { Rule } from './rule.tsx';

/** The hours when quiet hours are switched on. */
const USUAL = { quiet_from_hour: 22, quiet_until_hour: 8 } as const;

const CAPS = Array.from({ length: MASS_MESSAGES_MAX_A_DAY }, (_, index) => index + 1);
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const hourFormat = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' });

/** The rules for mass messages. Changes apply at once. */
export function MassMessageRulesCard() {
  const { data, isError } = useQuery(settingsOptions);
  const save = useSaveSettings();
  const set = (change: Partial<Rules>) => {
    if (!save.isPending) save.mutate(change);
  };
  // The card above says that the rules couldn't be loaded.
  if (data === undefined && isError) return null;
  const quiet =
    data && data.quiet_from_hour !== null && data.quiet_until_hour !== null
      ? { from: data.quiet_from_hour, until: data.quiet_until_hour }
      : null;
  return (
    <Card title={t('Mass Messages')} subtitle={t('They apply to every mass message.')}>
      {save.isError && (
        <div className="px-4 pb-3">
          <ErrorBox text={errorText(save.error, t('Couldn’t change the rule'))} />
        </div>
      )}
      <ul
        aria-label={t('Mass Messages')}
        aria-busy={data === undefined}
        className="border-t border-line"
      >
        <Rule
          title={t('Daily limit')}
          text={t('The most mass messages that a fan gets in a day of their time zone.')}
          isOn={data && null}
        >
          {data && (
            <SelectField
              label={t('Daily limit')}
              isLabelHidden
              value={data.mass_messages_a_day}
              onChange={({ currentTarget: { value } }) =>
                set({ mass_messages_a_day: Number(value) })
              }
            >
              {CAPS.map((cap) => (
                <option key={cap} value={cap}>
                  {formatCount(cap)}
                </option>
              ))}
            </SelectField>
          )}
        </Rule>
        <Rule
          title={t('Quiet hours')}
          text={t('Mass messages wait until these hours have passed where the fan is.')}
          isOn={data && quiet !== null}
          busy={save.isPending}
          onChange={(on) => set(on ? USUAL : { quiet_from_hour: null, quiet_until_hour: null })}
        >
          {quiet && (
            <span className="flex items-end gap-2">
              <HourSelect
                label={t('Quiet from')}
                hour={quiet.from}
                onChange={(hour) => set({ quiet_from_hour: hour })}
              />
              <HourSelect
                label={t('Quiet until')}
                hour={quiet.until}
                onChange={(hour) => set({ quiet_until_hour: hour })}
              />
            </span>
          )}
        </Rule>
      </ul>
    </Card>
  );
}

interface HourSelectProps {
  label: string;
  hour: number;
  onChange: (hour: number) => void;
}

function HourSelect({ label, hour, onChange }: HourSelectProps) {
  return (
    <SelectField
      label={label}
      isLabelHidden
      value={hour}
      onChange={({ currentTarget: { value } }) => onChange(Number(value))}
    >
      {HOURS.map((each) => (
        <option key={each} value={each}>
          {hourFormat.format(each * 3_600_000)}
        </option>
      ))}
    </SelectField>
  );
}
