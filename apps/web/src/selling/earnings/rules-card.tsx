import { formatMoney, readAmount } from '@stagedoor/browser/money';
import type { CommissionRule, Credit, EarningPeriod } from '@stagedoor/contract/selling/earnings';
import type { AdminRole } from '@stagedoor/contract/team/auth';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError, errorText } from '../../lib/server/api.ts';
import { exactTimeOf } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { toLocal } from '../../lib/text/zoned-time.ts';
import { useNow } from '../../lib/use-now.ts';
import { adminsOptions } from '../../team/admins/queries.ts';
import { settingsOptions } from '../../team/settings/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { DateField } from '../../ui/form/date-field.tsx';
import { SelectField } from '../../ui/form/select-field.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { termsOf } from './earning-words.ts';
import { PeriodSelect } from './period-select.tsx';
import { periodsOptions, rulesOptions, useAddRule, useTryRule } from './queries.ts';

const ROLES: Readonly<Record<AdminRole, string>> = {
  support: t('Support'),
  moderator: t('Moderator'),
  manager: t('Manager'),
  creator: t('Creator'),
};

/** The commission rules: all versions, and a form to add a rule or to try it on a pay period. */
export function RulesCard() {
  const rules = useQuery(rulesOptions);
  const settings = useQuery(settingsOptions);
  const periods = useInfiniteQuery(periodsOptions);
  const missing = [rules, settings, periods].find(({ isLoadingError }) => isLoadingError);
  return (
    <Card
      title={t('Commission Rules')}
      subtitle={t('Each sale uses the rule that applies on the day it is made')}
    >
      <div className="flex flex-col gap-4 px-4 pb-4">
        {missing && (
          <QueryError
            query={missing}
            text={
              missing === periods ? t('Couldn’t load the periods') : t('Couldn’t load the rules')
            }
          />
        )}
        {rules.data?.length === 0 && (
          <p className="text-control text-fg-3">{t('No rules yet. Add one below.')}</p>
        )}
        <ul className="divide-y divide-line">
          {rules.data?.map((rule) => (
            <li key={rule.version} className="flex flex-wrap gap-x-4 py-2 text-control">
              <span className="min-w-0 flex-1 basis-40 font-medium">{ruleTarget(rule)}</span>
              <span className="text-fg-2">{termsOf(rule)}</span>
              <span className="text-fg-3">
                {t('from {time}', { time: exactTimeOf(rule.effective_at) })}
              </span>
            </li>
          ))}
        </ul>
        {rules.data && settings.data && (
          <RuleForm
            rules={rules.data}
            periods={periods.data ?? []}
            zone={settings.data.time_zone}
          />
        )}
      </div>
    </Card>
  );
}

const ruleTarget = ({ admin_codename: name, role }: CommissionRule): string =>
  name ?? (role === null ? '' : ROLES[role]);

type Terms = Pick<CommissionRule, 'percentage' | 'hourly_rate' | 'credit'>;
const NO_RULE: Terms = { percentage: 0, hourly_rate: 0, credit: 'sender' };

interface RuleFormProps {
  /** All versions, newest first. */
  rules: readonly CommissionRule[];
  periods: readonly EarningPeriod[];
  /** The team's time zone. */
  zone: string;
}

function RuleForm({ rules, periods, zone }: RuleFormProps) {
  const [target, setTarget] = useState('role:support');
  /** The changed fields. All others show the terms in force. */
  const [changes, setChanges] = useState<{ percentage?: string; rate?: string; credit?: Credit }>(
    {},
  );
  const today = toLocal(useNow(), zone).slice(0, 10);
  const [from = today, setFrom] = useState<string>();
  const [periodId, setPeriodId] = useState('');
  const admins = useQuery(adminsOptions);
  const add = useAddRule();
  const trial = useTryRule();
  const [kind, value = ''] = target.split(':');
  const isPast = from < today;
  const day = isPast ? today : from;
  const inForce = rules
    .filter((rule) => toLocal(Date.parse(rule.effective_at), zone).slice(0, 10) <= day)
    .toSorted((a, b) => Date.parse(b.effective_at) - Date.parse(a.effective_at));
  const role = kind === 'role' ? value : admins.data?.find(({ id }) => id === value)?.role;
  const current: Terms =
    inForce.find((rule) => rule.admin_id === value) ??
    inForce.find((rule) => rule.role === role) ??
    NO_RULE;
  const {
    percentage = String(current.percentage),
    rate = String(current.hourly_rate),
    credit = current.credit,
  } = changes;
  const typed = { percentage: readAmount(percentage), hourly_rate: readAmount(rate) };
  const rule = {
    ...(kind === 'role' ? { role: value as AdminRole } : { admin_id: value }),
    percentage: typed.percentage ?? 0,
    hourly_rate: typed.hourly_rate ?? 0,
    credit,
  };
  const isReadable = typed.percentage !== null && typed.hourly_rate !== null;
  const hasOwn = kind === 'role' || inForce.some((one) => one.admin_id === value);
  const isChanged =
    !hasOwn ||
    rule.percentage !== current.percentage ||
    rule.hourly_rate !== current.hourly_rate ||
    credit !== current.credit;
  const canAdd = isReadable && isChanged && !isPast;
  const period = periodId || periods[0]?.id;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (canAdd && !add.isPending)
      add.mutate(
        { ...rule, effective_from: from },
        // Keeps fields that were changed during the save.
        { onSuccess: () => setChanges((held) => (held === changes ? {} : held)) },
      );
  };
  /** Clears the trial's result and the errors. Both apply only to the terms that were sent. */
  const reset = () => {
    trial.reset();
    if (!add.isPending) add.reset();
  };
  const tryOut = () => {
    if (!isReadable || period === undefined) return;
    reset();
    trial.mutate({ ...rule, period_id: period });
  };
  const failure = add.error ?? trial.error;
  const fields: Readonly<Record<string, string>> =
    failure instanceof ApiError ? failure.fields : {};
  const isAtField = Object.keys(fields).length > 0;
  return (
    <form onSubmit={submit} onChange={reset} noValidate className="flex flex-col gap-3">
      {failure && !isAtField && <ErrorBox text={errorText(failure, t('Couldn’t save the rule'))} />}
      <div className="grid gap-3 md:grid-cols-2 lg:grid-cols-3">
        <SelectField
          label={t('For')}
          value={target}
          onChange={(event) => setTarget(event.target.value)}
        >
          {Object.entries(ROLES).map(([role, label]) => (
            <option key={role} value={`role:${role}`}>
              {label}
            </option>
          ))}
          {admins.data?.map(({ id, codename }) => (
            <option key={id} value={`admin:${id}`}>
              {codename}
            </option>
          ))}
        </SelectField>
        <TextField
          label={t('Percent of net sales')}
          inputMode="decimal"
          value={percentage}
          error={
            typed.percentage === null ? t('Enter a percentage from 0 to 100') : fields.percentage
          }
          onChange={(event) => setChanges({ ...changes, percentage: event.target.value })}
        />
        <TextField
          label={t('Hourly rate in USD')}
          inputMode="decimal"
          value={rate}
          error={
            typed.hourly_rate === null
              ? t('Enter an hourly rate from 0 to 1,000')
              : fields.hourly_rate
          }
          onChange={(event) => setChanges({ ...changes, rate: event.target.value })}
        />
        <SelectField
          label={t('Sales are credited to')}
          value={credit}
          onChange={(event) => setChanges({ ...changes, credit: event.target.value as Credit })}
        >
          <option value="sender">{t('Who sent the offer')}</option>
          <option value="shift">{t('Everyone on the clock, in equal shares')}</option>
        </SelectField>
        <DateField
          label={t('From')}
          value={from}
          min={today}
          zone={zone}
          error={isPast ? t('Choose today or a later day') : fields.effective_from}
          onChange={(date) => {
            setFrom(date);
            // The calendar doesn't trigger the form's `onChange`.
            reset();
          }}
        />
        <PeriodSelect
          label={t('Period to test with')}
          periods={periods}
          value={period ?? ''}
          onChange={setPeriodId}
        />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          onClick={tryOut}
          busy={trial.isPending}
          disabled={period === undefined || !isReadable}
        >
          {t('What If?')}
        </Button>
        <Button variant="primary" type="submit" busy={add.isPending} disabled={!canAdd}>
          {t('Add Rule')}
        </Button>
        {!isChanged && (
          <p className="self-center text-control text-fg-3">
            {t('Change the terms to add a rule.')}
          </p>
        )}
      </div>
      {trial.data && (
        <p className="text-control text-fg-2">
          {t('Compared with the pay slip. Contests and refunded sales change nothing.')}
        </p>
      )}
      {trial.data && (
        <ul
          aria-label={t('What If?')}
          className="grid grid-cols-[minmax(0,1fr)_auto_auto] gap-x-4 divide-y divide-line text-control"
        >
          {trial.data.length === 0 && (
            <li className="col-span-full py-2">{t('Nothing would change.')}</li>
          )}
          {trial.data.map((admin) => (
            <li key={admin.admin_id} className="col-span-full grid grid-cols-subgrid py-2 text-end">
              <span className="min-w-0 truncate text-start font-medium">
                {admin.admin_codename}
              </span>
              <span className="text-fg-2 tabular-nums">
                {formatMoney(admin.amount)} → {formatMoney(admin.tried_amount)}
              </span>
              <span className="font-semibold tabular-nums">{formatMoney(admin.difference)}</span>
            </li>
          ))}
        </ul>
      )}
    </form>
  );
}
