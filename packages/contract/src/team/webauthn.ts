import * as z from 'zod/mini';
import { namedObject } from '../primitives.ts';

/** Returns a schema for bytes in base64url, as in WebAuthn's JSON. @param max the maximum number of characters */
const base64url = (max: number) =>
  z.string().check(z.maxLength(max), z.regex(/^[A-Za-z0-9_-]+$/, 'Must be base64url'));

const credentialId = base64url(1_400);
const transports = z.array(z.string().check(z.maxLength(32))).check(z.maxLength(16));

const Descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.optional(z.array(z.string())),
});

/** The JSON options of `navigator.credentials.create` (WebAuthn's `PublicKeyCredentialCreationOptionsJSON`). */
export const PasskeyCreation = namedObject('PasskeyCreation', {
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
  /** Milliseconds. */
  timeout: z.number(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(Descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('preferred'),
    userVerification: z.literal('required'),
  }),
});
export type PasskeyCreation = z.infer<typeof PasskeyCreation>;

/** The JSON options of `navigator.credentials.get` (WebAuthn's `PublicKeyCredentialRequestOptionsJSON`). */
export const PasskeyRequest = namedObject('PasskeyRequest', {
  rpId: z.string(),
  challenge: z.string(),
  /** Milliseconds. */
  timeout: z.number(),
  allowCredentials: z.array(Descriptor),
  userVerification: z.literal('required'),
});
export type PasskeyRequest = z.infer<typeof PasskeyRequest>;

const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
};

/** A new passkey as returned by the browser (WebAuthn's `RegistrationResponseJSON`). Other fields are ignored. */
export const NewCredential = namedObject('NewCredential', {
  ...credential,
  response: z.object({
    clientDataJSON: base64url(8_000),
    attestationObject: base64url(100_000),
    transports: z.optional(transports),
  }),
});
export type NewCredential = z.infer<typeof NewCredential>;

/** A passkey's signature as returned by the browser (WebAuthn's `AuthenticationResponseJSON`). */
export const Assertion = namedObject('Assertion', {
  ...credential,
  response: z.object({
    clientDataJSON: base64url(8_000),
    authenticatorData: base64url(8_000),
    signature: base64url(20_000),
  }),
});
export type Assertion = z.infer<typeof Assertion>;
