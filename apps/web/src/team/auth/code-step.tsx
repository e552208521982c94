import { rich } from '@stagedoor/browser/rich-text';
import { type FormEvent, useState } from 'react';
import { ApiError, errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { CodeBoxes } from './code-boxes.tsx';
import { type CodeEntry, completeCode, EMPTY_ENTRY } from './code-entry.ts';
import { normalizeEmail, type PendingSignIn, useVerifyCode } from './queries.ts';

interface CodeStepProps {
  email: string;
  onBack: () => void;
  /** Called if the code was correct and another step is required. */
  onPending: (pending: PendingSignIn) => void;
}

/** Asks for the code and signs in with it, as soon as the sixth digit is entered. Never runs twice at a time. */
export function CodeStep({ email, onBack, onPending }: CodeStepProps) {
  const [entry, setEntry] = useState<CodeEntry>(EMPTY_ENTRY);
  const verify = useVerifyCode();
  const code = completeCode(entry.boxes);

  const submit = (complete: string) => {
    if (verify.isPending || verify.isSuccess) return;
    verify.mutate(
      { email: normalizeEmail(email), code: complete },
      {
        onError: (error) => {
          if (!(error instanceof ApiError) || error.pending === null)
            return setEntry({ ...EMPTY_ENTRY });
          const isNew = error.code === 'passkey_enrolment_required';
          onPending({ step: isNew ? 'enrol' : 'passkey', token: error.pending });
        },
      },
    );
  };
  const change = (next: CodeEntry) => {
    if (verify.isPending) return;
    setEntry(next);
    const complete = completeCode(next.boxes);
    if (complete !== null && complete !== code) submit(complete);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (code !== null) submit(code);
  };
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4">
      <div className="flex flex-col gap-1">
        <h1 id="code-title" className="text-title font-semibold tracking-tight">
          {t('Please enter your verification code')}
        </h1>
        <p id="code-hint" className="text-control wrap-break-word text-fg-3">
          {rich('Enter the 6 digits that we sent to {email}.', {
            email: <span className="font-medium text-fg-2">{normalizeEmail(email)}</span>,
          })}
        </p>
      </div>
      {verify.error && <ErrorBox text={errorText(verify.error, t('Failed to verify code'))} />}
      <CodeBoxes entry={entry} onChange={change} labelledBy="code-title" describedBy="code-hint" />
      <Button
        type="submit"
        variant="primary"
        size="large"
        disabled={code === null || verify.isPending}
        busy={verify.isPending}
        busyText={t('Verifying...')}
        aria-describedby="code-hint"
      >
        {t('Continue')}
      </Button>
      <Button variant="ghost" onClick={onBack} className="-mt-1.5 -mb-2">
        {t('← Back')}
      </Button>
    </form>
  );
}
