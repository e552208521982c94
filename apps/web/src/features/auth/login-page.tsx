import { useState } from 'react';
import { CodeStep } from './code-step.tsx';
import { EmailStep } from './email-step.tsx';

/** Signing in: first the e-mail address, then the code that was sent to it. */
export function LoginPage() {
  const [email, setEmail] = useState('');
  const [step, setStep] = useState<'email' | 'code'>('email');
  return (
    <main className="flex h-full overflow-y-auto bg-bg px-4 py-8">
      <div className="m-auto w-full max-w-90">
        <p className="mb-6 flex items-center justify-center gap-2.5 text-title font-semibold tracking-tight">
          <img src="/icon.svg" alt="" width={32} height={32} />
          Stagedoor
        </p>
        <div className="rounded-card border border-line bg-surface p-5">
          {step === 'email' ? (
            <EmailStep email={email} onChange={setEmail} onSent={() => setStep('code')} />
          ) : (
            <CodeStep email={email} onBack={() => setStep('email')} />
          )}
        </div>
      </div>
    </main>
  );
}
