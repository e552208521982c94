import * as z from 'zod/mini';
import { del, get, managed, patch, post } from '../endpoint.ts';
import {
  byId,
  emailAddress,
  hexColor,
  namedObject,
  requiredText,
  timestamp,
} from '../primitives.ts';
import { AdminRole } from './auth.ts';

/** The longest codename, in UTF-16 units. */
export const CODENAME_MAX_CHARS = 40;

/** An admin in the console's list, including removed ones. */
export const AdminRecord = namedObject('AdminRecord', {
  id: z.string(),
  email: z.string(),
  codename: z.string(),
  role: AdminRole,
  is_active: z.boolean(),
  display_color: hexColor,
  permissions: z.object({
    can_manage_admins: z.boolean(),
    can_manage_messages: z.boolean(),
  }),
  created_at: timestamp,
  /** When the admin was last active, to the minute; kept after their sessions end. Null if they never signed in. */
  last_active_at: z.nullable(timestamp),
  /** The number of their passkeys. */
  passkeys: z.int(),
  /** Rises with each change; `admin_updated` carries it too. */
  version: z.int(),
});
export type AdminRecord = z.infer<typeof AdminRecord>;

/** A codename. Invisible characters are refused so that no two names look alike. */
export const codename = requiredText(CODENAME_MAX_CHARS, 'Codename is required').check(
  z.refine((name) => !/[\p{Cc}\p{Cf}]/u.test(name), 'Must not contain invisible characters'),
);

/** A name from the list of codenames. */
export const Fruit = namedObject('Fruit', {
  name: z.string(),
  /** Whether any admin has or ever had it. */
  taken: z.boolean(),
});
export type Fruit = z.infer<typeof Fruit>;

const adminReply = z.object({ data: AdminRecord });

export const NewAdmin = z.strictObject({
  email: z.pipe(requiredText(254, 'Email is required'), emailAddress),
  role: z._default(AdminRole, 'support'),
});
export type NewAdmin = z.input<typeof NewAdmin>;

export const listAdmins = get('/api/auth/admin-management/admins', {
  ...managed,
  summary: 'All current and former admins: active ones first, then by email.',
  replies: { 200: z.object({ data: z.array(AdminRecord) }) },
});

export const addAdmin = post('/api/auth/admin-management/admins', {
  ...managed,
  summary:
    'Add an admin (201), or restore a removed one with their old codename (200). Managers are notified by email. A caller who has a passkey must have used it in this session within the last 10 minutes.',
  body: NewAdmin,
  replies: { 200: adminReply, 201: adminReply },
  errors: ['admin_exists', 'role_ceiling', 'confirmation_required'],
});

export const updateAdminPermissions = patch('/api/auth/admin-management/admins/{id}/permissions', {
  ...managed,
  summary: 'Grant or revoke an active admin’s message privileges, with immediate effect.',
  params: byId,
  body: z.strictObject({ can_manage_messages: z.boolean() }),
  replies: { 200: adminReply },
  errors: ['admin_not_found', 'admin_inactive', 'role_ceiling'],
});

export const updateAdminRole = patch('/api/auth/admin-management/admins/{id}/role', {
  ...managed,
  summary:
    'Change an active admin’s role, up to the caller’s own. Managers are notified of a promotion by email. To promote, a caller who has a passkey must have used it in this session within the last 10 minutes.',
  params: byId,
  body: z.strictObject({ role: AdminRole }),
  replies: { 200: adminReply },
  errors: [
    'admin_not_found',
    'admin_inactive',
    'role_ceiling',
    'last_manager',
    'confirmation_required',
  ],
});

export const updateAdminCodename = patch('/api/auth/admin-management/admins/{id}/codename', {
  ...managed,
  summary:
    'Rename an admin. A codename that another admin has or had can’t be used; case is ignored.',
  params: byId,
  body: z.strictObject({ codename }),
  replies: { 200: adminReply },
  errors: ['admin_not_found', 'codename_taken', 'role_ceiling'],
});

export const updateAdminColor = patch('/api/auth/admin-management/admins/{id}/color', {
  ...managed,
  summary: 'Change an admin’s display color.',
  params: byId,
  body: z.strictObject({ display_color: hexColor }),
  replies: { 200: adminReply },
  errors: ['admin_not_found', 'role_ceiling'],
});

export const removeAdmin = del('/api/auth/admin-management/admins/{id}', {
  ...managed,
  summary: 'Remove an admin: end all sessions and release all claims. The row stays, inactive.',
  params: byId,
  replies: { 200: adminReply },
  errors: [
    'admin_not_found',
    'admin_inactive',
    'cannot_remove_self',
    'role_ceiling',
    'last_manager',
  ],
});

export const listFruits = get('/api/auth/admin-management/fruits', {
  ...managed,
  summary: 'The names used for codenames, and which of them are taken.',
  replies: { 200: z.object({ data: z.array(Fruit) }) },
});
