import { type AuditEntry, exportAudit, listAudit } from '@stagedoor/contract/team/audit';
import * as z from 'zod/mini';
import type { Database } from '../../db/database.ts';
import { toCsv } from '../../http/csv.ts';
import { cursorCodec, pageOf } from '../../http/cursor.ts';
import { type Router, reply } from '../../http/route.ts';
import { type AuditRow, findAudit, listActions } from './audit.store.ts';

const count = z.int().check(z.gte(0));
const cursors = cursorCodec({ at: count, id: count });

/** The maximum number of rows in an export. */
const EXPORT_MAX = 100_000;

const CSV_HEADER = [
  'at',
  'admin_codename',
  'admin_email',
  'action',
  'target_id',
  'target_label',
  'details',
];

/** Binds the read-only audit log. */
export function bindAuditRoutes(router: Router, db: Database): void {
  router.bind(listAudit, async ({ query }) => {
    const after = query.cursor === undefined ? null : cursors.decode(query.cursor);
    const [rows, actions] = await Promise.all([
      findAudit(db, query, { after, limit: query.limit + 1 }),
      listActions(db),
    ]);
    const { page, next_cursor } = pageOf(rows, query.limit, ({ at_us, id }) =>
      cursors.encode({ at: at_us, id }),
    );
    return reply(200, { data: page.map(present), next_cursor, actions });
  });

  router.bind(exportAudit, async ({ query }) => {
    const page = { after: null, limit: EXPORT_MAX };
    const rows = await db.readStale((source) => findAudit(source, query, page));
    const cells = rows.map((row) => [
      row.at.toISOString(),
      row.codename,
      row.email,
      row.action,
      row.target_id,
      row.target_label,
      JSON.stringify(row.details),
    ]);
    return reply(200, toCsv(CSV_HEADER, cells));
  });
}

function present(row: AuditRow): AuditEntry {
  const { admin_id, codename, display_color, email } = row;
  const known = admin_id !== null && codename !== null && display_color !== null && email !== null;
  return {
    id: String(row.id),
    at: row.at.toISOString(),
    admin: known ? { id: admin_id, codename, display_color, email } : null,
    action: row.action,
    target_id: row.target_id,
    target_label: row.target_label,
    details: row.details,
  };
}
