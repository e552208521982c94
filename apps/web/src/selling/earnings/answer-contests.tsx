import { formatMoney, readAmount } from '@stagedoor/browser/money';
import { type EarningContest, REASON_MAX_CHARS } from '@stagedoor/contract/selling/earnings';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { leave } from '../../lib/leave-guard.ts';
import { ApiError, errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { PRICE_INPUT } from '../../lib/text/price.ts';
import { adminsOptions } from '../../team/admins/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { SelectField } from '../../ui/form/select-field.tsx';
import { TextAreaField, TextField } from '../../ui/form/text-field.tsx';
import { MorePages } from '../../ui/more-pages.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { DiscardQuestion } from '../../ui/overlay/discard-question.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { ContestList, ContestRow } from './contest-row.tsx';
import { LineText } from './line-text.tsx';
import { contestsOptions, useAnswer } from './queries.ts';

/** The contests that wait for a manager's answer and, on demand, the decided ones, which are listed after them. */
export function Contests() {
  const contests = useInfiniteQuery(contestsOptions({}));
  const [answering, setAnswering] = useState<EarningContest | null>(null);
  const open = contests.data?.filter(({ state }) => state === 'open');
  const decided = contests.data?.filter(({ state }) => state !== 'open') ?? [];
  const more = (
    <MorePages
      query={contests}
      loaded={contests.data?.length ?? 0}
      className="mx-4 mb-4"
      label={t('Show More Contests')}
    />
  );
  return (
    <Card title={t('Contests')}>
      {contests.isLoadingError && (
        <div className="px-4 pb-4">
          <QueryError query={contests} text={t('Couldn’t load the contests')} />
        </div>
      )}
      {open?.length === 0 && (
        <p className="px-4 pb-4 text-control text-fg-3">
          {t('No contests are waiting for an answer.')}
        </p>
      )}
      {open && open.length > 0 && (
        <ContestList>
          {open.map((contest) => (
            <ContestRow key={contest.id} contest={contest}>
              <Button
                size="small"
                className="coarse:h-11 coarse:px-3"
                onClick={() => setAnswering(contest)}
              >
                {t('Answer')}
              </Button>
            </ContestRow>
          ))}
        </ContestList>
      )}
      {decided.length === 0 && more}
      {decided.length > 0 && (
        <Disclosure label={t('Decided Contests')} className="mx-4 mb-3.5 coarse:mb-0.5">
          <ContestList>
            {decided.map((contest) => (
              <ContestRow key={contest.id} contest={contest} />
            ))}
          </ContestList>
          {more}
        </Disclosure>
      )}
      {answering && <AnswerDialog contest={answering} onClose={() => setAnswering(null)} />}
    </Card>
  );
}

interface AnswerDialogProps {
  contest: EarningContest;
  onClose: () => void;
}

const centsOf = (amount: number): number => Math.round(amount * 100);

/** The dialog to answer a contest: accept it and split the line among admins again, or reject it. Starts with the current split. */
function AnswerDialog({ contest, onClose }: AnswerDialogProps) {
  const whole = contest.line?.amount ?? 0;
  const [parts, setParts] = useState<Readonly<Record<string, string>>>(() => ({
    [contest.admin_id]: '0.00',
    ...Object.fromEntries(
      contest.parts.map(({ admin_id, amount }) => [admin_id, amount.toFixed(2)]),
    ),
  }));
  const [reason, setReason] = useState('');
  const formId = useId();
  const answer = useAnswer();
  const admins = useQuery(adminsOptions);
  const nameOf = (id: string) =>
    [contest, ...contest.parts].find(({ admin_id }) => admin_id === id)?.admin_codename ??
    admins.data?.find((admin) => admin.id === id)?.codename ??
    '';
  const setPart = (id: string, text: string) => setParts((before) => ({ ...before, [id]: text }));
  const given = Object.entries(parts).map(([admin_id, text]) => ({
    admin_id,
    amount: readAmount(text),
  }));
  const left = given.reduce((sum, { amount }) => sum - centsOf(amount ?? 0), centsOf(whole)) / 100;
  const current = new Map(contest.parts.map(({ admin_id, amount }) => [admin_id, amount]));
  const isChanged = given.some(({ admin_id, amount }) => amount !== (current.get(admin_id) ?? 0));
  const isValid = isChanged && left === 0 && given.every(({ amount }) => amount !== null);
  const send = (isAccepted: boolean) => {
    if (answer.isPending) return;
    const accepted = given.map(({ admin_id, amount }) => ({ admin_id, amount: amount ?? 0 }));
    answer.mutate(
      { id: contest.id, parts: isAccepted ? accepted : null, reason: reason.trim() },
      { onSuccess: onClose },
    );
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isValid) send(true);
  };
  const problem = answer.error instanceof ApiError ? answer.error.fields.parts : undefined;
  return (
    <Dialog
      title={t('Answer the Contest')}
      subtitle={contest.reason}
      onClose={() => leave(onClose, 'contest')}
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
        {answer.error && (
          <ErrorBox text={problem ?? errorText(answer.error, t('Couldn’t save the answer'))} />
        )}
        {contest.line && (
          <div>
            <LineText line={contest.line} />
          </div>
        )}
        {Object.entries(parts).map(([id, text]) => (
          <TextField
            key={id}
            {...PRICE_INPUT}
            label={t('{name}’s part of {amount}', { name: nameOf(id), amount: formatMoney(whole) })}
            value={text}
            error={readAmount(text) === null ? t('Please enter a valid amount') : null}
            onChange={(event) => setPart(id, event.target.value)}
          />
        ))}
        <p role="status" className="text-control text-fg-2">
          {!isChanged && t('Change a part to accept the contest.')}
          {isChanged && left === 0 && t('The whole line is shared out.')}
          {left !== 0 && t('Left to share out: {amount}', { amount: formatMoney(left) })}
        </p>
        <SelectField
          label={t('Another teammate')}
          value=""
          onChange={(event) => setPart(event.target.value, '0')}
        >
          <option value="" disabled>
            {t('Add a Teammate')}
          </option>
          {admins.data
            ?.filter(({ id }) => !Object.hasOwn(parts, id))
            .map(({ id, codename }) => (
              <option key={id} value={id}>
                {codename}
              </option>
            ))}
        </SelectField>
        <TextAreaField
          label={t('Reason (needed to reject)')}
          rows={2}
          maxLength={REASON_MAX_CHARS}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </form>
      {(isChanged || reason.trim() !== '') && (
        <DiscardQuestion form="contest" text={t('Your changes aren’t saved.')} />
      )}
    </Dialog>
  );
}
