import { type FormEvent, useEffect, useRef } from 'react';
import { errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { useRequestCode } from './queries.ts';

const EXAMPLE = 'you@example.com';

interface EmailStepProps {
  email: string;
  onChange: (email: string) => void;
  /** Called when a code was sent to the email address. */
  onSent: () => void;
}

/** Asks for the email address and requests a code for it. */
export function EmailStep({ email, onChange, onSent }: EmailStepProps) {
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
    </form>
  );
}
