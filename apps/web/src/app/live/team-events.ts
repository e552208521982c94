import type { Query, QueryClient } from '@tanstack/react-query';
import { withPart } from '../../lib/lazy-loads.ts';
import { getSession, updateAdmin } from '../../lib/server/session.ts';
import { statementsChanged } from './conversation-events.ts';
import type { EventTable } from './event-tools.ts';
import { refreshSegmentLists } from './live-inbox.ts';

const loadLive = () => import('./live-lazy.ts');

/** The newest version of the signed-in admin in any event so far. Needed because events may arrive out of order. */
const ownVersions = new WeakMap<QueryClient, number>();

/** Handlers for events about staff, shared data, and this admin's other devices. */
export const teamEvents = {
  handovers_changed(_event, { refetch, refetchSoon }) {
    refetch(['handovers']);
    refetchSoon(['inbox', 'stats']);
  },
  statements_changed: (_event, tools) => statementsChanged(tools),
  shared_updated({ what, conversation_id: id }, { client }) {
    // Only queries for this conversation, for 'mine' and for 'all' can contain its data.
    const predicate = ({ queryKey: [, of] }: Query) =>
      !id || of === id || of === 'mine' || of === 'all';
    // `what` is also the first part of the query key.
    void client.invalidateQueries({ queryKey: [what], predicate });
    if (what !== 'segments') return;
    // A deleted segment is no longer part of any view.
    void client.invalidateQueries({ queryKey: ['views'] });
    refreshSegmentLists(client);
  },
  admin_updated(event, { client, adminId }) {
    if (client.getQueryState(['admins']))
      withPart(
        () => import('./live-staff.ts'),
        (staff) => staff.showAdmin(client, event),
      );
    const { admin_id, is_active, version, ...change } = event;
    const session = getSession();
    if (admin_id !== adminId || !is_active || session.status !== 'signed_in') return;
    if ((ownVersions.get(client) ?? 0) >= version) return;
    ownVersions.set(client, version);
    updateAdmin({ ...session.admin, ...change });
  },
  pins_updated(_event, tools) {
    tools.refetch(['inbox', 'pins']);
  },
  staff_updated(_event, tools) {
    tools.onStaffChanged();
  },
  draft_updated: {
    position: null,
    apply(event) {
      withPart(loadLive, ({ takeDraft }) => takeDraft(event));
    },
  },
  campaign_progress(event, tools) {
    withPart(loadLive, ({ takeProgress }) => takeProgress(event, tools));
  },
  presence(event) {
    withPart(loadLive, ({ takeSeats }) => takeSeats(event));
  },
} satisfies Partial<EventTable>;
