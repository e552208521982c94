import { formatMoney } from '@stagedoor/browser/money';
import { type EarningContest, REASON_MAX_CHARS } from '@stagedoor/contract/selling/earnings';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { PRICE_INPUT } from '../../lib/text/price.ts';
import { adminsOptions } from '../../team/admins/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { SelectField } from '../../ui/form/select-field.tsx';
import { TextAreaField, TextField } from '../../ui/form/text-field.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { kindLabel } from './earning-words.ts';
import { contestsOptions, useAnswer } from './queries.ts';

/** The open contests, for a manager to answer. */
export function AnswerContests() {
  const contests = useQuery(contestsOptions);
  const [answering, setAnswering] = useState<EarningContest | null>(null);
  const open = contests.data?.filter(({ state }) => state === 'open');
  return (
    <Card title={t('Contests')}>
      <div className="px-4 pb-4">
        {contests.isError && contests.data === undefined && (
          <QueryError query={contests} text={t('Couldn’t load the contests')} />
        )}
        {open?.length === 0 && (
          <p className="text-control text-fg-3">{t('No contests are waiting for an answer.')}</p>
        )}
        <ul className="divide-y divide-line">
          {open?.map((contest) => (
            <li key={contest.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
              <div className="min-w-0 flex-1 basis-56">
                <p className="wrap-break-word">
                  {t('Contested by {name}: {reason}', {
                    name: contest.admin_codename,
                    reason: contest.reason,
                  })}
                </p>
                {contest.line && (
                  <p className="text-control text-fg-2">
                    {kindLabel(contest.line.kind)} · {contest.line.admin_codename} ·{' '}
                    {formatMoney(contest.line.amount)}
                  </p>
                )}
              </div>
              <Button size="small" onClick={() => setAnswering(contest)}>
                {t('Answer')}
              </Button>
            </li>
          ))}
        </ul>
      </div>
      {answering && <AnswerDialog contest={answering} onClose={() => setAnswering(null)} />}
    </Card>
  );
}

interface AnswerDialogProps {
  contest: EarningContest;
  onClose: () => void;
}

/** Accepts a contest by giving part of the line to a teammate, or rejects it with a reason. */
function AnswerDialog({ contest, onClose }: AnswerDialogProps) {
  const { line, admin_id: claimant } = contest;
  const whole = line?.amount ?? 0;
  const [taker, setTaker] = useState(claimant);
  const [part, setPart] = useState(String(whole));
  const [reason, setReason] = useState('');
  const formId = useId();
  const answer = useAnswer();
  const admins = useQuery(adminsOptions);
  const amount = Number(part.replace(',', '.'));
  const isValid = part.trim() !== '' && Number.isFinite(amount);
  const send = (isAccepted: boolean) => {
    if (answer.isPending || line === null) return;
    const cents = Math.round(amount * 100);
    const rest = (Math.round(whole * 100) - cents) / 100;
    const parts = [
      { admin_id: line.admin_id, amount: rest },
      { admin_id: taker, amount: cents / 100 },
    ];
    answer.mutate(
      { id: contest.id, parts: isAccepted ? parts : null, reason: reason.trim() },
      { onSuccess: onClose },
    );
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isValid) send(true);
  };
  return (
    <Dialog
      title={t('Answer the Contest')}
      subtitle={contest.reason}
      onClose={onClose}
      footer={
        <>
          <Button
            onClick={() => send(false)}
            busy={answer.isPending}
            disabled={reason.trim() === ''}
          >
            {t('Reject')}
          </Button>
          <Button
            variant="primary"
            type="submit"
            form={formId}
            busy={answer.isPending}
            disabled={!isValid}
          >
            {t('Accept')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-3">
        {answer.error && <ErrorBox text={errorText(answer.error, t('Couldn’t save the answer'))} />}
        <SelectField
          label={t('Teammate')}
          value={taker}
          onChange={(event) => setTaker(event.target.value)}
        >
          {admins.data?.map(({ id, codename }) => (
            <option key={id} value={id}>
              {codename}
            </option>
          ))}
        </SelectField>
        <TextField
          {...PRICE_INPUT}
          label={t('Their share of {amount}', { amount: formatMoney(whole) })}
          value={part}
          error={isValid ? null : t('Please enter a valid amount')}
          onChange={(event) => setPart(event.target.value)}
        />
        <TextAreaField
          label={t('Reason (needed to reject)')}
          rows={2}
          maxLength={REASON_MAX_CHARS}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
