import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';
import type {
  Assertion,
  NewCredential,
  PasskeyCreation,
  PasskeyRequest,
} from '@stagedoor/contract/team/webauthn';
import { t } from '../text/i18n.ts';
import { errorText } from './api.ts';

type CreationJson = Parameters<typeof startRegistration>[0]['optionsJSON'];
type RequestJson = Parameters<typeof startAuthentication>[0]['optionsJSON'];

/** A failure to create or use a passkey. The message is the text to show. */
class PasskeyFailure extends Error {
  override readonly name = 'PasskeyFailure';
}

/** Asks the browser to create a passkey. @throws PasskeyFailure */
export async function createPasskey(options: PasskeyCreation): Promise<NewCredential> {
  const made = await attempt(() =>
    startRegistration({ optionsJSON: options as unknown as CreationJson }),
  );
  const { clientDataJSON, attestationObject, transports = [] } = made.response;
  const response = { clientDataJSON, attestationObject, transports };
  return { id: made.id, rawId: made.rawId, type: 'public-key', response };
}

/** Asks the person to use a passkey. @throws PasskeyFailure */
export async function askForPasskey(options: PasskeyRequest): Promise<Assertion> {
  const used = await attempt(() =>
    startAuthentication({ optionsJSON: options as unknown as RequestJson }),
  );
  const { clientDataJSON, authenticatorData, signature } = used.response;
  const response = { clientDataJSON, authenticatorData, signature };
  return { id: used.id, rawId: used.rawId, type: 'public-key', response };
}

/** Cancels the browser's passkey prompt, if one is open. */
export const stopAsking = (): void => WebAuthnAbortService.cancelCeremony();

async function attempt<T>(ceremony: () => Promise<T>): Promise<T> {
  if (!browserSupportsWebAuthn()) {
    throw new PasskeyFailure(
      window.isSecureContext
        ? t('This browser can’t use passkeys. Use another browser.')
        : t('Passkeys only work at an HTTPS address.'),
    );
  }
  try {
    return await ceremony();
  } catch (cause) {
    const name = cause instanceof Error ? cause.name : '';
    throw new PasskeyFailure(WORDS[name] ?? CANCELED, { cause });
  }
}

/** Browsers report the same error for a canceled prompt, a timeout and a missing passkey. */
const CANCELED = t('The passkey prompt was canceled or timed out. Try again.');
const WORDS: Readonly<Record<string, string>> = {
  InvalidStateError: t('This device already has a passkey for your account.'),
  SecurityError: t('Passkeys don’t work at this address.'),
  ConstraintError: t(
    'This device can’t verify that it’s you. Set up a PIN, fingerprint or face recognition on it, or use another device.',
  ),
  NotSupportedError: t('This device can’t create a supported passkey. Use another device.'),
};

/** Returns the text to show for a failed passkey: the browser's or the server's error, or the fallback. */
export function passkeyErrorText(error: unknown, fallback: string): string {
  return error instanceof PasskeyFailure ? error.message : errorText(error, fallback);
}
