import * as z from 'zod/mini';
import { del, get, managed, patch, post } from '../endpoint.ts';
import { byId, dataOf, namedObject, requiredText, timestamp } from '../primitives.ts';
import { AdminRecord } from './admins.ts';
import { AdminRole, SignedInAdmin } from './auth.ts';
import { Assertion, NewCredential, PasskeyCreation, PasskeyRequest } from './webauthn.ts';

/** The longest passkey name, in UTF-16 units. */
export const PASSKEY_NAME_MAX_CHARS = 60;
/** The maximum number of passkeys per admin. */
export const PASSKEYS_MAX = 10;

/** An admin's passkey, the second factor of their sign-in. */
export const Passkey = namedObject('Passkey', {
  id: z.string(),
  name: z.string(),
  created_at: timestamp,
  /** Null if it hasn't been used since it was added. */
  last_used_at: z.nullable(timestamp),
  /** Whether it can be synced across devices. */
  synced: z.boolean(),
});
export type Passkey = z.infer<typeof Passkey>;

const passkeyName = requiredText(PASSKEY_NAME_MAX_CHARS, 'Enter a name for the passkey').check(
  z.refine((name) => !/[\p{Cc}\p{Cf}]/u.test(name), 'Must not contain invisible characters'),
);
/** The token of a sign-in after a correct code. It is valid only for the remaining step. */
const pending = z.string().check(z.minLength(1), z.maxLength(128));
const signedIn = z.object({ token: z.string(), admin: SignedInAdmin });
const creation = z.object({ data: PasskeyCreation });
const request = z.object({ data: PasskeyRequest });
const passkeyReply = z.object({ data: Passkey });

export const startPasskeySignIn = post('/api/auth/admin/passkeys/sign-in/options', {
  summary: 'The challenge that a passkey must sign to complete a sign-in after a correct code.',
  auth: 'none',
  body: z.strictObject({ pending }),
  replies: { 200: request },
  errors: ['sign_in_expired', 'passkeys_unavailable', 'rate_limited'],
});

export const finishPasskeySignIn = post('/api/auth/admin/passkeys/sign-in', {
  summary: 'Complete a sign-in with a passkey’s signature; at most 5 attempts.',
  auth: 'none',
  body: z.strictObject({ pending, response: Assertion }),
  replies: { 200: signedIn },
  errors: ['sign_in_expired', 'invalid_passkey', 'passkeys_unavailable', 'rate_limited'],
});

export const startPasskeyEnrolment = post('/api/auth/admin/passkeys/enrolment/options', {
  summary: 'The options for creating the first passkey of an admin whose role requires one.',
  auth: 'none',
  body: z.strictObject({ pending }),
  replies: { 200: creation },
  errors: ['sign_in_expired', 'passkeys_unavailable', 'rate_limited'],
});

export const finishPasskeyEnrolment = post('/api/auth/admin/passkeys/enrolment', {
  summary:
    'Save the first passkey of an admin whose role requires one, and complete the sign-in with it.',
  auth: 'none',
  body: z.strictObject({ pending, name: passkeyName, response: NewCredential }),
  replies: { 200: signedIn },
  errors: ['sign_in_expired', 'invalid_passkey', 'passkeys_unavailable', 'rate_limited'],
});

export const listPasskeys = get('/api/auth/admin/passkeys', {
  summary: 'The signed-in admin’s own passkeys, oldest first.',
  auth: 'admin',
  replies: {
    200: z.object({
      data: z.array(Passkey),
      /** The console’s origin where passkeys work; null if its address isn't a domain name or isn't secure. */
      origin: z.nullable(z.string()),
      /** Whether the admin’s role requires a passkey. */
      required: z.boolean(),
    }),
  },
});

export const startPasskeyAddition = post('/api/auth/admin/passkeys/options', {
  isWork: false,
  summary:
    'The options for creating another passkey. A caller who has a passkey must have used it in this session within the last 10 minutes.',
  auth: 'admin',
  replies: { 200: creation },
  errors: ['confirmation_required', 'too_many_passkeys', 'passkeys_unavailable', 'rate_limited'],
});

export const addPasskey = post('/api/auth/admin/passkeys', {
  isWork: false,
  summary:
    'Save a new passkey for the signed-in admin. From their next sign-in on, a passkey is required.',
  auth: 'admin',
  body: z.strictObject({ name: passkeyName, response: NewCredential }),
  replies: { 201: passkeyReply },
  errors: [
    'confirmation_required',
    'invalid_passkey',
    'too_many_passkeys',
    'passkeys_unavailable',
    'rate_limited',
  ],
});

export const renamePasskey = patch('/api/auth/admin/passkeys/{id}', {
  isWork: false,
  summary: 'Rename one of your own passkeys.',
  auth: 'admin',
  params: byId,
  body: z.strictObject({ name: passkeyName }),
  replies: { 200: passkeyReply },
  errors: ['passkey_not_found'],
});

export const removePasskey = del('/api/auth/admin/passkeys/{id}', {
  isWork: false,
  summary:
    'Remove one of the signed-in admin’s own passkeys and end other sessions that it opened. If the role requires a passkey, the last one can’t be removed.',
  auth: 'admin',
  params: byId,
  replies: { 200: dataOf({ removed: z.literal(true) }) },
  errors: ['passkey_not_found', 'confirmation_required', 'last_passkey'],
});

export const startPasskeyConfirmation = post('/api/auth/admin/passkeys/confirmation/options', {
  isWork: false,
  summary:
    'The challenge that a passkey must sign to confirm that the admin still uses the session.',
  auth: 'admin',
  replies: { 200: request },
  errors: ['passkey_needed', 'passkeys_unavailable', 'rate_limited'],
});

export const confirmByPasskey = post('/api/auth/admin/passkeys/confirmation', {
  isWork: false,
  summary: 'Confirm the session for 10 minutes with a passkey’s signature.',
  auth: 'admin',
  body: z.strictObject({ response: Assertion }),
  replies: { 200: dataOf({ confirmed: z.literal(true) }) },
  errors: ['invalid_passkey', 'passkeys_unavailable', 'rate_limited'],
});

/** Whether a role requires a passkey, and how many of its admins have one. */
export const PasskeyRequirement = namedObject('PasskeyRequirement', {
  role: AdminRole,
  required: z.boolean(),
  /** Active admins with the role. */
  admins: z.int(),
  /** How many of these have a passkey. */
  with_passkey: z.int(),
});
export type PasskeyRequirement = z.infer<typeof PasskeyRequirement>;

export const listPasskeyRequirements = get('/api/auth/admin-management/passkey-requirements', {
  ...managed,
  summary: 'All roles, and whether each requires a passkey.',
  replies: { 200: z.object({ data: z.array(PasskeyRequirement) }) },
});

export const setPasskeyRequirement = patch('/api/auth/admin-management/passkey-requirements', {
  ...managed,
  summary:
    'Require a passkey for a role up to the caller’s own, or lift the requirement. A new requirement ends the role’s sessions that were opened with a code alone.',
  body: z.strictObject({ role: AdminRole, required: z.boolean() }),
  replies: { 200: z.object({ data: z.array(PasskeyRequirement) }) },
  errors: ['role_ceiling', 'passkey_needed', 'confirmation_required', 'passkeys_unavailable'],
});

export const resetPasskeys = del('/api/auth/admin-management/admins/{id}/passkeys', {
  ...managed,
  summary:
    'Remove all passkeys of an admin who lost them, and end their sessions. Admins can’t reset their own passkeys, and need a passkey to reset someone else’s.',
  params: byId,
  replies: { 200: z.object({ data: AdminRecord }) },
  errors: [
    'admin_not_found',
    'role_ceiling',
    'cannot_reset_self',
    'confirmation_required',
    'passkey_needed',
  ],
});
