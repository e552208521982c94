import { ErrorReply } from '@stagedoor/contract/errors';
import { requestOtp, verifyOtp } from '@stagedoor/contract/team/auth';
import {
  addPasskey,
  confirmByPasskey,
  finishPasskeySignIn,
  type Passkey,
  startPasskeyAddition,
  startPasskeyConfirmation,
  startPasskeySignIn,
} from '@stagedoor/contract/team/passkeys';
import { sql } from 'kysely';
import { type Authenticator, createAuthenticator } from './authenticator.ts';
import { buildStaff, type Staff } from './factories.ts';
import type { HttpClient, Refusal } from './http-client.ts';
import type { TestApp } from './test-app.ts';
import { until } from './until.ts';

/** Returns the origin of the tests' browsers: without a public address, the server accepts passkeys on localhost only. */
export const originOf = ({ url }: Pick<TestApp, 'url'>): string =>
  `http://localhost:${new URL(url).port}`;

/** Requests a code and enters it. Ages earlier codes first, to avoid the limit. @returns the refusal that asks for a passkey */
export async function enterCode(
  app: TestApp,
  email: string,
): Promise<Refusal & { pending: string }> {
  await sql`update login_codes set created_at = created_at - interval '2 hours' where email = ${email}`.execute(
    app.db.kysely,
  );
  const before = app.smtp.codesTo(email).length;
  await app.anonymous.call(requestOtp, { body: { email } });
  // Notices about passkeys may arrive in between.
  const code = await until('a code', () => app.smtp.codesTo(email)[before]);
  const refusal = await app.anonymous.refused(verifyOtp, { body: { email, code } });
  const { pending } = ErrorReply.parse(JSON.parse(refusal.text));
  return { ...refusal, pending: pending ?? '' };
}

export interface PasskeyHolder extends Staff {
  readonly authenticator: Authenticator;
  readonly passkey: Passkey;
}

/** Adds a passkey for a signed-in admin. */
export async function addTo(
  app: TestApp,
  client: HttpClient,
  authenticator: Authenticator,
  { name = 'Laptop', counter = 0 } = {},
): Promise<Passkey> {
  const { body } = await client.call(startPasskeyAddition);
  const response = authenticator.create(body.data, { origin: originOf(app), counter });
  return (await client.call(addPasskey, { body: { name, response } })).body.data;
}

/** Builds a signed-in admin with a passkey that they have just used in their session. */
export async function buildHolder(
  app: TestApp,
  overrides: Parameters<typeof buildStaff>[1] = {},
  counter = 0,
): Promise<PasskeyHolder> {
  const staff = await buildStaff(app, overrides);
  const authenticator = createAuthenticator();
  const passkey = await addTo(app, staff.client, authenticator, { counter });
  return { ...staff, authenticator, passkey };
}

/** Completes a sign-in with a passkey, after the code was entered. @returns the token */
export async function signInByPasskey(
  app: TestApp,
  pending: string,
  authenticator: Authenticator,
  counter = 0,
): Promise<string> {
  const { body } = await app.anonymous.call(startPasskeySignIn, { body: { pending } });
  const response = authenticator.get(body.data, { origin: originOf(app), counter });
  const done = await app.anonymous.call(finishPasskeySignIn, { body: { pending, response } });
  return done.body.token;
}

/** Confirms a session with a passkey. */
export async function confirmBy(
  app: TestApp,
  client: HttpClient,
  authenticator: Authenticator,
): Promise<void> {
  const { body } = await client.call(startPasskeyConfirmation);
  const response = authenticator.get(body.data, { origin: originOf(app) });
  await client.call(confirmByPasskey, { body: { response } });
}

/** Makes the last passkey confirmation of an admin's sessions older. */
export async function ageConfirmation(app: TestApp, adminId: string, minutes: number) {
  await sql`update sessions set confirmed_at = confirmed_at - make_interval(mins => ${minutes})
    where admin_id = ${adminId}`.execute(app.db.kysely);
}
