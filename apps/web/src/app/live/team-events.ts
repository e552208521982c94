import type { ServerEvent } from '@stagedoor/contract/realtime';
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import { queryKeys } from '../../lib/server/query-keys.ts';
import { getSession, updateAdmin } from '../../lib/server/session.ts';
import type { EventHandlers } from './event-tools.ts';

/** Updates an admin in the staff list, if that was loaded. The code belongs to the lazy console. */
async function showAdmin(client: QueryClient, event: ServerEvent<'admin_updated'>): Promise<void> {
  if (!client.getQueryState(queryKeys.admins)) return;
  const staff = await import('./live-staff.ts');
  await staff.showAdmin(client, event);
}

/** The cached data behind each kind of shared data. */
const SHARED = {
  templates: queryKeys.templates,
  guard_rails: queryKeys.guardRails,
  scheduled: queryKeys.scheduled.all,
  fan: queryKeys.fan.all,
} satisfies Record<ServerEvent<'shared_updated'>['what'], QueryKey>;

/** The newest version of the signed-in admin in any event: events may arrive out of order. */
const ownVersions = new WeakMap<QueryClient, number>();

/** Handlers for events about staff, shared data, and this admin's other devices. */
export const teamEvents = {
  handovers_changed(_event, { client, onCountsChanged }) {
    void client.invalidateQueries({ queryKey: queryKeys.handovers.all });
    onCountsChanged();
  },
  statements_changed: (_event, tools) => tools.onStatementsChanged(),
  shared_updated({ what, conversation_id: id }, { client }) {
    // Data of a conversation can only be in its own lists and in those for 'mine' and 'all'.
    const predicate = ({ queryKey: [, of] }: Query) =>
      !id || of === id || of === 'mine' || of === 'all';
    void client.invalidateQueries({ queryKey: SHARED[what], predicate });
  },
  admin_updated(event, { client, adminId }) {
    showAdmin(client, event).catch((error: unknown) =>
      console.error('Failed to refresh the admins', error),
    );
    const { admin_id, is_active, version, ...change } = event;
    const session = getSession();
    if (admin_id !== adminId || !is_active || session.status !== 'signed_in') return;
    if ((ownVersions.get(client) ?? 0) >= version) return;
    ownVersions.set(client, version);
    updateAdmin({ ...session.admin, ...change });
  },
  pins_updated(_event, tools) {
    tools.onPinsChanged();
  },
  staff_updated(_event, tools) {
    tools.onStaffChanged();
  },
  draft_updated(event) {
    withLive(({ takeDraft }) => takeDraft(event));
  },
  presence(event) {
    withLive(({ takeSeats }) => takeSeats(event));
  },
} satisfies Partial<EventHandlers>;

/** Runs code that is not part of the first load. */
function withLive(use: (live: typeof import('./live-lazy.ts')) => void): void {
  import('./live-lazy.ts').then(use, (error: unknown) => console.error('Failed to load', error));
}
