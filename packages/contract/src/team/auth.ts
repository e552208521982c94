import * as z from 'zod/mini';
import { del, get, post } from '../endpoint.ts';
import {
  byId,
  dataOf,
  emailAddress,
  hexColor,
  namedObject,
  sentence,
  timestamp,
} from '../primitives.ts';

/** The number of digits in a sign-in code. */
export const OTP_LENGTH = 6;

export const AdminRole = z.enum(['support', 'moderator', 'manager', 'creator']);
export type AdminRole = z.infer<typeof AdminRole>;

/** An admin's permissions beyond reading. */
export const AdminPermissions = z.object({
  can_manage_admins: z.boolean(),
  can_manage_messages: z.boolean(),
});

/** The signed-in admin with their current permissions. */
export const SignedInAdmin = namedObject('SignedInAdmin', {
  id: z.string(),
  email: z.string(),
  codename: z.string(),
  role: AdminRole,
  display_color: hexColor,
  permissions: AdminPermissions,
});
export type SignedInAdmin = z.infer<typeof SignedInAdmin>;

/** A session of an admin. It ends 12 hours after its last use or 7 days after its start, whichever comes first. */
export const Session = namedObject('Session', {
  id: z.string(),
  created_at: timestamp,
  last_used_at: timestamp,
  expires_at: timestamp,
  user_agent: z.nullable(z.string()),
  /** The factors with which the admin has signed in or confirmed this session. */
  factors: z.array(z.enum(['code', 'passkey'])),
  current: z.boolean(),
});
export type Session = z.infer<typeof Session>;

export const requestOtp = post('/api/auth/admin/request-otp', {
  summary:
    'Request a sign-in code by email, in the language of Accept-Language. The reply is the same whether or not the address is known.',
  auth: 'none',
  body: z.strictObject({ email: emailAddress }),
  replies: {
    200: dataOf({
      /** Seconds until the code expires. */
      expires_in: z.number(),
      /** Seconds until another code can be requested. */
      retry_after: z.number(),
    }),
  },
  errors: ['rate_limited', 'too_many_wrong_codes'],
});

export const verifyOtp = post('/api/auth/admin/verify-otp', {
  summary:
    'Exchange a code for a session. A code works once, for 5 minutes and 5 attempts. After 10 wrong codes in a row, each further attempt for the address requires a longer wait; after 100, the wait is 30 days. If a passkey is also required, the code is exchanged for a token that continues the sign-in.',
  auth: 'none',
  body: z.strictObject({
    email: emailAddress,
    code: z
      .string()
      .check(z.trim(), z.regex(/^[0-9]{6}$/, sentence('Please enter the 6 digits of the code'))),
  }),
  replies: { 200: z.object({ token: z.string(), admin: SignedInAdmin }) },
  errors: [
    'invalid_code',
    'passkey_required',
    'passkey_enrolment_required',
    'rate_limited',
    'too_many_wrong_codes',
  ],
});

export const signOut = post('/api/auth/admin/signout', {
  isWork: false,
  summary: 'End the caller’s session.',
  auth: 'admin',
  replies: { 200: dataOf({ signed_out: z.literal(true) }) },
});

export const currentAdmin = get('/api/auth/admin/me', {
  summary:
    'The signed-in admin with their current permissions. The language of Accept-Language is saved for their emails and push notifications.',
  auth: 'admin',
  replies: { 200: z.object({ data: SignedInAdmin }) },
});

export const listSessions = get('/api/auth/admin/sessions', {
  summary: 'The signed-in admin’s active sessions, most recently used first.',
  auth: 'admin',
  replies: { 200: z.object({ data: z.array(Session) }) },
});

export const revokeSession = del('/api/auth/admin/sessions/{id}', {
  isWork: false,
  summary: 'End one of your own sessions and close its sockets.',
  auth: 'admin',
  params: byId,
  replies: { 200: dataOf({ revoked: z.literal(true) }) },
  errors: ['session_not_found'],
});
