import {
  HANDOVERS_LISTED_MAX,
  type Handover,
  SHIFT_PROMISES_MAX,
} from '@stagedoor/contract/messaging/handovers';
import type { StaffMember } from '@stagedoor/contract/team/staff';
import type { Database, Statement } from '../../db/database.ts';
import { insertEvents } from '../../db/outbox-events.ts';
import type { Row } from '../../db/tables.ts';
import {
  type OpenPromiseRow,
  openPromisesOf,
  presentOpenPromises,
} from '../../fans/statements/promises.store.ts';
import { memberOf } from '../staff-notes/staff-notes.store.ts';

interface ItemRow extends Omit<Handover['items'][number], 'promises'> {
  readonly promises: OpenPromiseRow[] | null;
}

interface HandoverRow extends Row<'handovers', 'id' | 'brief' | 'created_at' | 'accepted_at'> {
  readonly from: StaffMember;
  readonly to: StaffMember | null;
  readonly items: ItemRow[] | null;
}

const select = (source: string) => `
  select h.id, h.brief, h.created_at, h.accepted_at, ${memberOf('giver')} as "from",
    case when taker.id is not null then ${memberOf('taker')} end as "to", (
      select jsonb_agg(jsonb_build_object('conversation_id', i.conversation_id, 'brief', i.brief,
        'draft', i.draft, 'promises', ${openPromisesOf('i.conversation_id', SHIFT_PROMISES_MAX)},
        'fan', jsonb_build_object('first_name', f.first_name, 'last_name', f.last_name, 'username', f.username,
          'email', f.email, 'avatar_url', f.avatar_url)) order by i.position)
      from handover_items i join conversations c on c.id = i.conversation_id join fans f on f.id = c.fan_id
      where i.handover_id = h.id
    ) as items
  from ${source} h join admins giver on giver.id = h.from_id left join admins taker on taker.id = h.to_id`;

const present = (row: HandoverRow): Handover => ({
  id: row.id,
  from: row.from,
  to: row.to,
  brief: row.brief,
  items: (row.items ?? []).map((item) => ({
    ...item,
    promises: presentOpenPromises(item.promises),
  })),
  created_at: row.created_at.toISOString(),
  accepted_at: row.accepted_at?.toISOString() ?? null,
});

const OPEN_FIRST = '(accepted_at is null) desc, created_at desc';

const listStatement: Statement = {
  name: 'handovers_list',
  text: `${select(`(select * from handovers where to_id = $1 order by ${OPEN_FIRST} limit ${HANDOVERS_LISTED_MAX})`)}
    order by (h.accepted_at is null) desc, h.created_at desc`,
};

/** Returns the handovers to an admin: first those not yet accepted, then the accepted ones, each newest first. */
export async function findHandovers(db: Database, adminId: string): Promise<Handover[]> {
  return (await db.run<HandoverRow>(listStatement, [adminId])).map(present);
}

const findStatement: Statement = {
  name: 'handovers_find',
  text: select('(select * from handovers where id = $1)'),
};

/** @param id a UUID */
export async function findHandover(db: Database, id: string): Promise<Handover | null> {
  const [row] = await db.run<HandoverRow>(findStatement, [id]);
  return row ? present(row) : null;
}

/** Finds the handover that an admin made with a client id. */
export async function findByClientId(
  db: Database,
  fromId: string,
  clientId: string,
): Promise<Row<'handovers', 'id' | 'payload_hash'> | null> {
  const [row] = await db.run<Row<'handovers', 'id' | 'payload_hash'>>(
    {
      name: 'handovers_by_client_id',
      text: 'select id, payload_hash from handovers where from_id = $1 and client_id = $2',
    },
    [fromId, clientId],
  );
  return row ?? null;
}

const acceptStatement: Statement = {
  name: 'handovers_accept',
  text: `with accepted as (
      update handovers set accepted_at = now() where id = $1 and to_id = $2 and accepted_at is null returning id
    ), queued as (
      ${insertEvents('handovers_changed', `jsonb_build_object('admin_id', $2::uuid)`, 'from accepted')}
    )
    select id as outbox_id from queued`,
};

/** Marks a handover as accepted by its recipient. @returns the event's outbox id; null if nothing changed */
export async function accept(db: Database, id: string, adminId: string): Promise<number | null> {
  const [row] = await db.run<{ outbox_id: number }>(acceptStatement, [id, adminId]);
  return row?.outbox_id ?? null;
}
