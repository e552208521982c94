import type { EndpointParsed, EndpointReply } from '@stagedoor/contract/endpoint';
import {
  type listFigureMessages,
  SHIFT_FIGURES_MAX,
  type shiftFigures,
} from '@stagedoor/contract/team/shifts';
import { type Database, isUuid } from '../../db/database.ts';
import * as errors from '../../errors.ts';
import { pageOf, timeCursors } from '../../http/cursor.ts';
import { scopeOf } from '../../http/reader.ts';
import type { AdminActor } from '../../http/route.ts';
import { listCounted, type Period, sumShifts, sumStaff } from './figures.store.ts';

const cursors = timeCursors(3);

export type FiguresService = ReturnType<typeof createFiguresService>;

/** Reads staff's figures about sales and replies: the caller's own, or everyone's for callers who manage admins. */
export function createFiguresService(db: Database) {
  /** @throws AppError 404 `admin_not_found` */
  async function requireAdmin(id: string): Promise<void> {
    const found = isUuid(id)
      ? await db.run({ name: 'figures_admin', text: 'select from admins where id = $1' }, [id])
      : [];
    if (found.length === 0) throw errors.adminNotFound();
  }

  return {
    /** @throws AppError 403 `permission_required`, 404 `admin_not_found` */
    async figures(
      actor: AdminActor,
      query: EndpointParsed<typeof shiftFigures>['query'],
    ): Promise<EndpointReply<typeof shiftFigures>> {
      const adminId = scopeOf(actor, query.admin_id);
      if (adminId !== null) await requireAdmin(adminId);
      const period = periodOf(query);
      const [data, shifts] = await db.readStale((source) =>
        Promise.all([
          sumStaff(source, period, adminId),
          adminId === null ? [] : sumShifts(source, period, adminId, SHIFT_FIGURES_MAX),
        ]),
      );
      return { data, shifts };
    },

    /** @throws AppError 403 `permission_required`, 404 `admin_not_found` */
    async messages(
      actor: AdminActor,
      { figure, cursor, limit, ...query }: EndpointParsed<typeof listFigureMessages>['query'],
    ): Promise<EndpointReply<typeof listFigureMessages>> {
      const adminId = scopeOf(actor, query.admin_id) ?? actor.admin.id;
      await requireAdmin(adminId);
      const after = cursor === undefined ? null : cursors.decode(cursor);
      const asked = { ...periodOf(query), adminId, figure, cursor: after, limit: limit + 1 };
      const found = await db.readStale((source) => listCounted(source, asked));
      const { page, next_cursor } = pageOf(found, limit, ({ message, id }) =>
        cursors.encode({ at: message.at, id }),
      );
      return { data: page.map(({ message }) => message), next_cursor };
    },
  };
}

const periodOf = ({ from, to }: Period): Period => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
});
