import {
  EXTENSION_MINUTES,
  SHIFT_MARGIN_MINUTES,
  SHIFT_MAX_HOURS,
} from '@stagedoor/contract/team/shifts';
import { MANAGING_ROLES } from '../admins/roles.ts';

export const MARGIN = `interval '${SHIFT_MARGIN_MINUTES} minutes'`;
export const EXTENSION = `interval '${EXTENSION_MINUTES} minutes'`;
/** Longer than any shift, even one across a clock change. A shift that started longer ago than this is over. */
export const LONGEST = `interval '${SHIFT_MAX_HOURS + 3} hours'`;

/** SQL: the span of a clock `c`, both ends included; the span of a running clock has no end. Indexed. */
export const SPAN = "tstzrange(c.started_at, c.ended_at, '[]')";

/** SQL: whether the team lets the admin `a` act only on a shift. */
export const IS_LIMITED = `(select access_only_on_shift from team_settings)
  and a.role not in (${MANAGING_ROLES.map((role) => `'${role}'`).join(', ')})`;

/** SQL: whether the admin `a` can only read now. */
export const IS_OFF_SHIFT = `(${IS_LIMITED}
  and not exists (
    select from shifts h where h.admin_id = a.id and h.starts_at <= now() + ${MARGIN}
      and h.starts_at > now() - ${LONGEST} and h.ends_at > now() - ${MARGIN})
  and not exists (select from shift_extensions e where e.admin_id = a.id and e.until > now()))`;
