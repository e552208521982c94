import { rich } from '@stagedoor/browser/rich-text';
import { OTP_LENGTH } from '@stagedoor/contract/team/auth';
import {
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  useEffect,
  useRef,
  useState,
} from 'react';
import { isComposing } from '../../lib/keyboard.ts';
import { ApiError, errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import {
  backspace,
  type CodeEntry,
  completeCode,
  EMPTY_ENTRY,
  fill,
  pastedDigits,
  typeInto,
} from './code-entry.ts';
import { normalizeEmail, type PendingSignIn, useVerifyCode } from './sign-in-queries.ts';

interface CodeStepProps {
  email: string;
  onBack: () => void;
  onPending: (pending: PendingSignIn) => void;
}

/** Asks for the code, and signs in as soon as the sixth digit is entered. Never sends two sign-ins at the same time. */
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

interface CodeBoxesProps {
  entry: CodeEntry;
  onChange: (entry: CodeEntry) => void;
  labelledBy: string;
  describedBy: string;
}

/** Six boxes for one digit each that act as one field for typing, pasting and deleting. */
function CodeBoxes({ entry, onChange, labelledBy, describedBy }: CodeBoxesProps) {
  const inputs = useRef<(HTMLInputElement | null)[]>([]);
  // Runs for every new entry object, even with equal content: a refused code moves the focus back to the first box.
  useEffect(() => {
    const input = inputs.current[entry.focus];
    input?.focus();
    input?.select();
  }, [entry]);

  const onKeyDown = (event: KeyboardEvent, index: number) => {
    if (isComposing(event.nativeEvent)) return;
    const { boxes } = entry;
    // Typing the same digit again fires no input event, but should still move on.
    if (event.key === boxes[index] && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      onChange(fill(boxes, index, event.key));
      return;
    }
    const move = (focus: number) => {
      event.preventDefault();
      onChange({ boxes, focus: Math.max(0, Math.min(focus, OTP_LENGTH - 1)) });
    };
    if (event.key === 'ArrowLeft') move(index - 1);
    else if (event.key === 'ArrowRight') move(index + 1);
    else if (event.key === 'Backspace' && boxes[index] === '') move(backspace(boxes, index).focus);
  };
  const onPaste = (event: ClipboardEvent, index: number) => {
    event.preventDefault();
    onChange(fill(entry.boxes, index, pastedDigits(event.clipboardData.getData('text'))));
  };
  return (
    <fieldset
      dir="ltr"
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      className="flex justify-between gap-1.5"
    >
      {entry.boxes.map((digit, index) => (
        <input
          // biome-ignore lint/suspicious/noArrayIndexKey: a box is identified by its position only
          key={index}
          ref={(input) => {
            inputs.current[index] = input;
          }}
          type="text"
          inputMode="numeric"
          pattern="[0-9]*"
          autoComplete={index === 0 ? 'one-time-code' : 'off'}
          aria-label={t('Digit {place} of {length}', { place: index + 1, length: OTP_LENGTH })}
          value={digit}
          onChange={(event) => onChange(typeInto(entry.boxes, index, event.target.value))}
          onKeyDown={(event) => onKeyDown(event, index)}
          onPaste={(event) => onPaste(event, index)}
          onFocus={(event) => event.currentTarget.select()}
          className="h-13 w-11 min-w-0 rounded-control border border-control bg-surface text-center text-[22px]! font-semibold tabular-nums md:h-14 md:w-12"
        />
      ))}
    </fieldset>
  );
}
