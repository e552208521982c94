import { lazyPart } from '@stagedoor/browser/lazy-part';
import { type FormEvent, Suspense, useEffect, useRef, useState } from 'react';
import { ApiError, errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { LanguageField } from '../../ui/form/language-field.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { CodeStep } from './code-step.tsx';
import { type PendingSignIn, useRequestCode } from './sign-in-queries.ts';

const PasskeyStep = lazyPart(async () => (await import('./passkey-step.tsx')).PasskeyStep);

type Step = 'email' | 'code' | PendingSignIn;

/** The sign-in: the email address, the emailed code, and a passkey if the admin has or needs one. */
export function LoginPage() {
  const [email, setEmail] = useState('');
  const [step, setStep] = useState<Step>('email');
  return (
    <main className="flex h-full overflow-y-auto bg-bg bg-[radial-gradient(56rem_32rem_at_50%_-6rem,var(--selected),transparent)] px-4 py-8">
      <div className="m-auto w-full max-w-90">
        <div className="mb-6 flex flex-col items-center text-center">
          <img src="/icon.svg" alt="" width={48} height={48} className="mb-3" />
          <p className="text-metric font-semibold tracking-tight">Stagedoor</p>
          <p className="text-fg-2">{t('Your team’s inbox for fan messages')}</p>
        </div>
        <div className="rounded-card border border-line bg-surface p-5">
          {step === 'email' && (
            <EmailStep email={email} onChange={setEmail} onSent={() => setStep('code')} />
          )}
          {step === 'code' && (
            <CodeStep email={email} onBack={() => setStep('email')} onPending={setStep} />
          )}
          {typeof step === 'object' && (
            <Suspense fallback={<Spinner />}>
              <PasskeyStep pending={step} onBack={() => setStep('email')} />
            </Suspense>
          )}
        </div>
        <div className="mt-4 flex justify-center">
          <LanguageField isQuiet />
        </div>
      </div>
    </main>
  );
}

const EXAMPLE = 'you@example.com';

interface EmailStepProps {
  email: string;
  onChange: (email: string) => void;
  onSent: () => void;
}

function EmailStep({ email, onChange, onSent }: EmailStepProps) {
  const request = useRequestCode();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (email.trim() !== '' && !request.isPending) request.mutate(email, { onSuccess: onSent });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <h1 className="text-title font-semibold tracking-tight">
        <label htmlFor="email">{t('Please enter your email')}</label>
      </h1>
      {request.error && (
        <ErrorBox text={errorText(request.error, t('Failed to send verification code'))} />
      )}
      <div className="flex flex-col gap-2">
        <input
          id="email"
          name="email"
          type="email"
          required
          ref={field}
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={EXAMPLE}
          aria-describedby="email-hint"
          readOnly={request.isPending}
          value={email}
          onChange={(event) => onChange(event.target.value)}
          className="h-11 w-full rounded-control border border-control bg-surface px-3 text-message focus-visible:border-accent focus-visible:outline-offset-0"
        />
        <p id="email-hint" className="text-meta text-fg-3">
          {t('We will email you a 6-digit sign-in code.')}
        </p>
      </div>
      <Button
        type="submit"
        variant="primary"
        size="large"
        disabled={email.trim() === '' || request.isPending}
        busy={request.isPending}
        busyText={t('Sending...')}
        aria-describedby="email-hint"
      >
        {t('Continue')}
      </Button>
      {/* A code that was sent to this address before may still be valid. */}
      {request.error instanceof ApiError &&
        request.error.code === 'rate_limited' &&
        request.variables === email && (
          <Button size="large" onClick={onSent}>
            {t('Enter Code')}
          </Button>
        )}
    </form>
  );
}
