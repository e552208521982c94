import { t } from '../../lib/text/i18n.ts';
import { formatHours } from '../../lib/text/times.ts';
import { Rule } from './rule.tsx';
import { RuleSelect, RulesCard, useRules, withCurrent } from './rules-card.tsx';

const HOURS = [1, 2, 4, 8, 12, 24, 48, 72, 168];
/** The value shown while the rule is off, and set when it is switched on. */
const USUAL_HOURS = 24;

/** The team rules. Changes apply at once. */
export function TeamRulesCard() {
  const rules = useRules();
  const { query, set, isBusy } = rules;
  const { data } = query;
  const releaseAfter = data?.release_claims_after_hours ?? USUAL_HOURS;
  return (
    <RulesCard
      title={t('Team Rules')}
      subtitle={t('How the team shares its conversations. Changes apply to everyone immediately.')}
      label={t('Rules')}
      rules={rules}
      showsLoadError
    >
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
        <RuleSelect
          label={t('Release after')}
          value={releaseAfter}
          options={withCurrent(HOURS, releaseAfter)}
          disabled={data?.release_claims_after_hours == null}
          wordOf={formatHours}
          onChange={(hours) => set({ release_claims_after_hours: hours })}
        />
      </Rule>
      <Rule
        title={t('Reopen archived conversations')}
        text={t('A fan’s message makes an archived conversation active again.')}
        isOn={data?.reopen_on_fan_message}
        busy={isBusy('reopen_on_fan_message')}
        onChange={(on) => set({ reopen_on_fan_message: on })}
      />
    </RulesCard>
  );
}
