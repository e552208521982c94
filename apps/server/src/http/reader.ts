import { type AdminActor, requirePermission } from './route.ts';

/** Returns the admin whose data the caller may see; null: everyone's. */
export const readerOf = ({ admin }: AdminActor): string | null =>
  admin.permissions.can_manage_admins ? null : admin.id;

/** Returns the admin whose data to read; null: everyone's. @throws AppError 403 `permission_required` */
export function scopeOf(actor: AdminActor, adminId: string | undefined): string | null {
  const reader = readerOf(actor);
  if (adminId !== undefined && adminId !== reader) requirePermission(actor, 'can_manage_admins');
  return adminId ?? reader;
}
