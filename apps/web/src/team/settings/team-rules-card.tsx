import { useQuery } from '@tanstack/react-query';
import { errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { formatHours } from '../../lib/text/times.ts';
import { Card } from '../../ui/card.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { SelectField } from '../../ui/form/select-field.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { type Rules, settingsOptions, useSaveSettings } from './queries.ts';
import { Rule } from './rule.tsx';

/** The offered values. A different value set through the API is offered too. */
const HOURS = [1, 2, 4, 8, 12, 24, 48, 72, 168];
/** The value when the rule is switched on. */
const USUAL_HOURS = 24;

/** The team rules. Changes apply at once. */
export function TeamRulesCard() {
  const settings = useQuery(settingsOptions);
  const save = useSaveSettings();
  const { data } = settings;
  const isBusy = (rule: keyof Rules) =>
    save.isPending && save.variables !== undefined && rule in save.variables;
  const set = (change: Partial<Rules>) => {
    if (!save.isPending) save.mutate(change);
  };
  return (
    <Card
      title={t('Team Rules')}
      subtitle={t('How the team shares its conversations. Changes apply to everyone immediately.')}
    >
      {save.isError && (
        <div className="px-4 pb-3">
          <ErrorBox text={errorText(save.error, t('Couldn’t change the rule'))} />
        </div>
      )}
      {data === undefined && settings.isError && (
        <div className="px-4 pb-4">
          <QueryError query={settings} text={t('Couldn’t load the rules')} />
        </div>
      )}
      {!(data === undefined && settings.isError) && (
        <ul aria-label={t('Rules')} aria-busy={data === undefined} className="border-t border-line">
          <Rule
            title={t('Claim on first reply')}
            text={t('Replying to an unclaimed conversation claims it.')}
            isOn={data?.claim_on_first_reply}
            busy={isBusy('claim_on_first_reply')}
            onChange={(on) => set({ claim_on_first_reply: on })}
          />
          <Rule
            title={t('Release inactive claims')}
            text={t('A claim ends when its holder hasn’t written anything for this long.')}
            isOn={data && data.release_claims_after_hours !== null}
            busy={isBusy('release_claims_after_hours')}
            onChange={(on) => set({ release_claims_after_hours: on ? USUAL_HOURS : null })}
          >
            {data && data.release_claims_after_hours !== null && (
              <HoursSelect
                hours={data.release_claims_after_hours}
                onChange={(hours) => set({ release_claims_after_hours: hours })}
              />
            )}
          </Rule>
          <Rule
            title={t('Reopen archived conversations')}
            text={t('A fan’s message makes an archived conversation active again.')}
            isOn={data?.reopen_on_fan_message}
            busy={isBusy('reopen_on_fan_message')}
            onChange={(on) => set({ reopen_on_fan_message: on })}
          />
        </ul>
      )}
    </Card>
  );
}

interface HoursSelectProps {
  hours: number;
  onChange: (hours: number) => void;
}

function HoursSelect({ hours, onChange }: HoursSelectProps) {
  const offered = HOURS.includes(hours) ? HOURS : [...HOURS, hours].toSorted((a, b) => a - b);
  return (
    <SelectField
      label={t('Release after')}
      isLabelHidden
      value={hours}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
    >
      {offered.map((option) => (
        <option key={option} value={option}>
          {formatHours(option)}
        </option>
      ))}
    </SelectField>
  );
}
