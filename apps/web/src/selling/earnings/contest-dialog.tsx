import { type EarningLine, REASON_MAX_CHARS } from '@stagedoor/contract/selling/earnings';
import { type FormEvent, useId, useState } from 'react';
import { errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { TextAreaField } from '../../ui/form/text-field.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { showToast } from '../../ui/overlay/toast.ts';
import { whyOf } from './earning-words.ts';
import { useContest } from './queries.ts';

/** The dialog to contest a line, with a reason. */
export function ContestDialog({ line, onClose }: { line: EarningLine; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const formId = useId();
  const contest = useContest();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (contest.isPending || reason.trim() === '') return;
    contest.mutate(
      { line: line.id, reason: reason.trim() },
      {
        onSuccess: () => {
          showToast({ text: t('A manager will answer your contest') });
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      title={t('Contest This Line')}
      subtitle={whyOf(line)}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            variant="primary"
            type="submit"
            form={formId}
            busy={contest.isPending}
            disabled={reason.trim() === ''}
          >
            {t('Send Contest')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-3">
        {contest.error && (
          <ErrorBox text={errorText(contest.error, t('Couldn’t send the contest'))} />
        )}
        <TextAreaField
          label={t('What is wrong?')}
          rows={3}
          maxLength={REASON_MAX_CHARS}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
