import * as z from 'zod/mini';
import { get, managed } from '../endpoint.ts';
import { instant, lookupId, namedObject, timestamp } from '../primitives.ts';
import { StaffMember } from './staff.ts';

/** An audit log entry: an action of staff or of the server, or a sign-in, with actor, target and time. Entries never change. */
export const AuditEntry = namedObject('AuditEntry', {
  id: z.string(),
  at: timestamp,
  /** The actor; null for actions of the server itself: by its jobs, from its command line or at its first start. */
  admin: z.nullable(z.object({ ...StaffMember.shape, email: z.string() })),
  /** `thing.verb`, for example `product.delete`. */
  action: z.string(),
  target_id: z.string(),
  /** The target's current name, or its last one if it was deleted: an admin's email, a title, a fan's name. */
  target_label: z.nullable(z.string()),
  details: z.record(z.string(), z.unknown()),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

const filters = {
  admin_id: z.optional(lookupId),
  /** An action, or only its first part: `product` matches every `product.…`. */
  action: z.optional(lookupId),
  target_id: z.optional(lookupId),
  /** At or after this instant. */
  from: z.optional(instant),
  /** Before this instant. */
  to: z.optional(instant),
};

export const listAudit = get('/api/admin/audit', {
  ...managed,
  summary: 'The audit log, newest first.',
  query: z.object({
    ...filters,
    cursor: z.optional(lookupId),
    limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(200)), 50),
  }),
  replies: {
    200: z.object({
      data: z.array(AuditEntry),
      next_cursor: z.nullable(z.string()),
      /** Every action in the log, as options for a filter. */
      actions: z.array(z.string()),
    }),
  },
});

export const exportAudit = get('/api/admin/audit/export', {
  ...managed,
  summary: 'The audit log as CSV (RFC 4180, UTF-8); at most the newest 100,000 rows.',
  query: z.object(filters),
  download: 'text/csv',
  replies: { 200: z.string() },
});
