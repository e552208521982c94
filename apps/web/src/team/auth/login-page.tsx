import { Suspense, useState } from 'react';
import { lazyPart } from '../../lib/lazy-part.ts';
import { t } from '../../lib/text/i18n.ts';
import { LanguageField } from '../../ui/form/language-field.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { CodeStep } from './code-step.tsx';
import { EmailStep } from './email-step.tsx';
import type { PendingSignIn } from './queries.ts';

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
