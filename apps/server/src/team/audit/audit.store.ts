import type { EndpointParsed } from '@stagedoor/contract/endpoint';
import type { exportAudit } from '@stagedoor/contract/team/audit';
import { type RawBuilder, sql } from 'kysely';
import { type Database, isUuid, type Source } from '../../db/database.ts';
import { FAN_NAME } from '../../db/fan-name.ts';
import type { Row } from '../../db/tables.ts';

export type AuditFilters = EndpointParsed<typeof exportAudit>['query'];

/** A cursor in the log: the position just after a row. */
export interface AuditCursor {
  /** Microseconds since 1970. */
  readonly at: number;
  readonly id: number;
}

export interface AuditRow
  extends Row<'audit_log', 'id' | 'at' | 'admin_id' | 'action' | 'target_id' | 'details'> {
  /** `at` in microseconds, for an {@link AuditCursor}. */
  readonly at_us: number;
  readonly codename: string | null;
  readonly display_color: string | null;
  readonly email: string | null;
  readonly target_label: string | null;
}

/** Returns rows of the log, newest first. Selects the rows before joining, which keeps the query fast. */
export async function findAudit(
  db: Source,
  filters: AuditFilters,
  { after, limit }: { readonly after: AuditCursor | null; readonly limit: number },
): Promise<AuditRow[]> {
  const where = conditions(filters, after);
  if (where === null) return [];
  const { rows } = await sql<AuditRow>`
    select l.id, l.at, (extract(epoch from l.at) * 1000000)::bigint as at_us, l.admin_id, a.codename, a.display_color, a.email, l.action, l.target_id,
      l.details, coalesce(
        case case when l.thing in ('statement', 'promise') then 'conversation' else l.thing end
          when 'admin' then (select email from admins where id = l.target_id)
          when 'sign_in' then (select email from admins where id = l.target_id)
          when 'passkey' then (select email from admins where id = l.target_id)
          when 'shift' then (select email from admins where id = l.target_id)
          when 'product' then (select title from products where id = l.target_id)
          when 'folder' then (select name from folders where id = l.target_id)
          when 'template' then (select name from templates where id = l.target_id)
          when 'segment' then (select name from segments where id = l.target_id)
          when 'invite' then (select email from invites where id = l.target_id)
          when 'platform_key' then (select name from platform_keys where id = l.target_id)
          when 'creator' then (select display_name from creators where id = l.target_id)
          when 'payment' then (
            select p.title from product_sends s join products p on p.id = s.product_id where s.attachment_id = l.target_id)
          when 'conversation' then (
            select coalesce(${sql.raw(FAN_NAME)}, f.external_id)
            from conversations c join fans f on f.id = c.fan_id where c.id = l.target_id)
        end,
        l.details->>'title', l.details->>'name', l.details->>'email'
      ) as target_label
    from (
      select * from audit_log where ${where} order by at desc, id desc limit ${limit}
    ) l left join admins a on a.id = l.admin_id
    order by l.at desc, l.id desc`.execute(db.kysely);
  return rows;
}

/** @returns null if nothing can match */
function conditions(filters: AuditFilters, after: AuditCursor | null): RawBuilder<unknown> | null {
  const { admin_id, action, target_id, from, to } = filters;
  if (admin_id !== undefined && !isUuid(admin_id)) return null;
  if (target_id !== undefined && !isUuid(target_id)) return null;
  const all: RawBuilder<unknown>[] = [sql`true`];
  if (admin_id !== undefined) all.push(sql`admin_id = ${admin_id}`);
  if (action !== undefined)
    all.push(action.includes('.') ? sql`action = ${action}` : sql`thing = ${action}`);
  if (target_id !== undefined) all.push(sql`target_id = ${target_id}`);
  if (from !== undefined) all.push(sql`at >= ${new Date(from)}`);
  if (to !== undefined) all.push(sql`at < ${new Date(to)}`);
  if (after !== null) {
    const at = sql`timestamptz 'epoch' + ${after.at}::bigint * interval '1 microsecond'`;
    all.push(sql`(at, id) < (${at}, ${after.id}::bigint)`);
  }
  return sql.join(all, sql` and `);
}

/** Returns the distinct actions in the log, sorted. Jumps from action to action in the index instead of scanning the log. */
export async function listActions(db: Database): Promise<string[]> {
  const rows = await db.run<Row<'audit_log', 'action'>>(
    {
      name: 'audit_actions',
      text: `with recursive actions as (
          (select action from audit_log order by action limit 1)
          union all
          select (select l.action from audit_log l where l.action > actions.action order by l.action limit 1)
          from actions where actions.action is not null
        )
        select action from actions where action is not null`,
    },
    [],
  );
  return rows.map((row) => row.action);
}
