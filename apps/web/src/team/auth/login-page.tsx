import { Suspense, useState } from 'react';
import { lazyPart } from '../../lib/lazy-part.ts';
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
    <main className="flex h-full overflow-y-auto bg-bg px-4 py-8">
      <div className="m-auto w-full max-w-90">
        <p className="mb-6 flex items-center justify-center gap-2.5 text-title font-semibold tracking-tight">
          <img src="/icon.svg" alt="" width={32} height={32} />
          Stagedoor
        </p>
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
