import * as z from 'zod/mini';
import { del, get, type KeyScope, managed, post } from '../endpoint.ts';
import { byId, dataOf, namedObject, requiredText, timestamp } from '../primitives.ts';
import { StaffMember } from '../team/staff.ts';

export const KEY_NAME_MAX_CHARS = 60;
/** The maximum number of active keys. */
export const PLATFORM_KEYS_MAX = 20;

/** What a key gives access to: the platform API, or only closed pay periods. */
const keyScope = z.enum(['platform', 'payroll'] satisfies KeyScope[]);

/** A platform API key without its secret, which is shown only once, on creation. */
export const PlatformKey = namedObject('PlatformKey', {
  id: z.string(),
  name: z.string(),
  scope: keyScope,
  /** The key's last four characters. */
  hint: z.string(),
  created_by: z.nullable(StaffMember),
  created_at: timestamp,
  /** Accurate to the minute; null if the key was never used. */
  last_used_at: z.nullable(timestamp),
  revoked_at: z.nullable(timestamp),
});
export type PlatformKey = z.infer<typeof PlatformKey>;

const PATH = '/api/admin/platform/keys';

export const listPlatformKeys = get(PATH, {
  ...managed,
  summary: 'The keys to the platform API, newest first, including revoked ones.',
  replies: {
    200: z.object({
      data: z.array(PlatformKey),
      /** Whether the server's settings define an additional key, which can be changed only there. */
      has_settings_key: z.boolean(),
    }),
  },
});

export const createPlatformKey = post(PATH, {
  ...managed,
  summary:
    'Create a key. It is shown in this reply only. A caller who has a passkey must have used it in this session within the last 10 minutes.',
  body: z.strictObject({
    name: requiredText(KEY_NAME_MAX_CHARS, 'Please enter a name'),
    scope: z._default(keyScope, 'platform'),
  }),
  replies: { 201: dataOf({ ...PlatformKey.shape, key: z.string() }) },
  errors: ['too_many_keys', 'confirmation_required'],
});

export const revokePlatformKey = del(`${PATH}/{id}`, {
  ...managed,
  summary: 'Revoke a key permanently, with immediate effect. Revoking it again changes nothing.',
  params: byId,
  replies: { 200: z.object({ data: PlatformKey }) },
  errors: ['key_not_found'],
});
