import { REASON_MAX_CHARS } from '@stagedoor/contract/selling/earnings';
import { type FormEvent, useId, useState } from 'react';
import { leave } from '../../lib/leave-guard.ts';
import { errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { TextAreaField } from '../../ui/form/text-field.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { DiscardQuestion } from '../../ui/overlay/discard-question.tsx';
import { showToast } from '../../ui/overlay/toast.ts';
import { useContest } from './queries.ts';

interface ContestDialogProps {
  /** The id of a line, or of a purchase to contest all lines of that sale. */
  id: string;
  title: string;
  subtitle: string;
  /** The label of the field for the reason. */
  label: string;
  onClose: () => void;
}

/** The dialog to contest a line or a sale, with a reason. */
export function ContestDialog({ id, title, subtitle, label, onClose }: ContestDialogProps) {
  const [reason, setReason] = useState('');
  const formId = useId();
  const contest = useContest();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (contest.isPending || reason.trim() === '') return;
    contest.mutate(
      { line: id, reason: reason.trim() },
      {
        onSuccess: () => {
          showToast({ text: t('A manager will answer your contest') });
          onClose();
        },
      },
    );
  };
  const close = () => leave(onClose, 'contest');
  return (
    <Dialog
      title={title}
      subtitle={subtitle}
      onClose={close}
      footer={
        <>
          <Button onClick={close}>{t('Cancel')}</Button>
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
          label={label}
          rows={3}
          maxLength={REASON_MAX_CHARS}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </form>
      {reason.trim() !== '' && (
        <DiscardQuestion form="contest" text={t('Your changes aren’t saved.')} />
      )}
    </Dialog>
  );
}
