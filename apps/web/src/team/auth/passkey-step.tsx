import {
  finishPasskeyEnrolment,
  finishPasskeySignIn,
  PASSKEY_NAME_MAX_CHARS,
  startPasskeyEnrolment,
  startPasskeySignIn,
} from '@stagedoor/contract/team/passkeys';
import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiError, call } from '../../lib/server/api.ts';
import { deviceOf } from '../../lib/server/device.ts';
import { startSession } from '../../lib/server/session.ts';
import { askForPasskey, createPasskey, passkeyErrorText } from '../../lib/server/webauthn.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { type PendingSignIn, unlessRefused } from './sign-in-queries.ts';

interface PasskeyStepProps {
  pending: PendingSignIn;
  /** Starts over, because the code is used up. */
  onBack: () => void;
}

/** The last step of a sign-in: the admin's passkey, or the creation of the first one if their role requires it. */
export function PasskeyStep({ pending, onBack }: PasskeyStepProps) {
  return pending.step === 'passkey' ? (
    <UsePasskey token={pending.token} onBack={onBack} />
  ) : (
    <FirstPasskey token={pending.token} onBack={onBack} />
  );
}

interface StepProps {
  token: string;
  onBack: () => void;
}

function UsePasskey({ token: pending, onBack }: StepProps) {
  const signIn = useMutation({
    mutationFn: async () => {
      const { data } = await call(startPasskeySignIn, { body: { pending } });
      const response = await askForPasskey(data);
      return unlessRefused(call(finishPasskeySignIn, { body: { pending, response } }));
    },
    onSuccess: ({ token, admin }) => startSession(token, admin),
  });
  return (
    <StepForm
      texts={{
        title: t('Use Your Passkey'),
        hint: t('The code is correct. Now confirm with your passkey.'),
        action: t('Use Passkey'),
      }}
      error={signIn.error}
      busy={signIn.isPending || signIn.isSuccess}
      onSubmit={() => signIn.mutate()}
      onBack={onBack}
    >
      <p className="text-meta text-fg-3">
        {t('Lost your passkey? A manager on your team can reset it.')}
      </p>
    </StepForm>
  );
}

function FirstPasskey({ token: pending, onBack }: StepProps) {
  const [name, setName] = useState(() => deviceOf(navigator.userAgent).name);
  const enrol = useMutation({
    mutationFn: async () => {
      const { data } = await call(startPasskeyEnrolment, { body: { pending } });
      const response = await createPasskey(data);
      return unlessRefused(call(finishPasskeyEnrolment, { body: { pending, name, response } }));
    },
    onSuccess: ({ token, admin }) => startSession(token, admin),
  });
  const objection = enrol.error instanceof ApiError ? enrol.error.fields.name : undefined;
  return (
    <StepForm
      texts={{
        title: t('Add a Passkey'),
        hint: t(
          'Your role requires a passkey. From now on you sign in with a code and your fingerprint, face or PIN.',
        ),
        action: t('Add Passkey'),
      }}
      error={objection === undefined ? enrol.error : null}
      busy={enrol.isPending || enrol.isSuccess}
      disabled={name.trim() === ''}
      onSubmit={() => enrol.mutate()}
      onBack={onBack}
    >
      <TextField
        label={t('Passkey name')}
        autoComplete="off"
        maxLength={PASSKEY_NAME_MAX_CHARS}
        value={name}
        error={objection}
        readOnly={enrol.isPending}
        onChange={(event) => setName(event.target.value)}
      />
    </StepForm>
  );
}

interface StepFormProps {
  texts: { title: string; hint: string; action: string };
  error: Error | null;
  busy: boolean;
  disabled?: boolean;
  onSubmit: () => void;
  onBack: () => void;
  children: ReactNode;
}

/** A step with one button, which has the focus so that Enter continues. */
function StepForm(props: StepFormProps) {
  const { texts, error, busy, disabled = false, onSubmit, onBack, children } = props;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  const isOver = error instanceof ApiError && error.code === 'sign_in_expired';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (isOver) onBack();
    else onSubmit();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <div className="flex flex-col gap-1">
        <h1 className="flex items-center gap-2 text-title font-semibold tracking-tight">
          <KeyRound className="text-fg-2" />
          {texts.title}
        </h1>
        <p id="passkey-hint" className="text-control text-fg-3">
          {texts.hint}
        </p>
      </div>
      {error && <ErrorBox text={passkeyErrorText(error, t('Couldn’t verify the passkey'))} />}
      {children}
      <Button
        ref={button}
        type="submit"
        variant="primary"
        size="large"
        disabled={disabled}
        busy={busy}
        busyText={t('Waiting...')}
        aria-describedby="passkey-hint"
      >
        {isOver ? t('Start Over') : texts.action}
      </Button>
      <Button variant="ghost" onClick={onBack}>
        {t('← Back')}
      </Button>
    </form>
  );
}
