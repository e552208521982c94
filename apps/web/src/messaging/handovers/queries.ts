import {
  acceptHandover,
  getShift,
  type Handover,
  handOver,
  listHandovers,
  type ShiftItem,
} from '@stagedoor/contract/messaging/handovers';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';

/** The viewer's claimed conversations. */
export const shiftOptions = queryOptions({
  queryKey: ['handovers', 'shift'],
  queryFn: async ({ signal }): Promise<{ items: ShiftItem[]; total: number }> =>
    (await call(getShift, { signal })).data,
});

/** The handovers that the viewer received, unaccepted ones first. */
export const handoversOptions = queryOptions({
  queryKey: ['handovers', 'received'],
  queryFn: async ({ signal }): Promise<Handover[]> => (await call(listHandovers, { signal })).data,
});

export interface HandoverText {
  /** A retry uses the same id, so that the handover is stored once. */
  clientId: string;
  /** An admin's id; null releases the claims. */
  to: string | null;
  brief: string;
  items: readonly { conversation_id: string; brief: string }[];
}

/** Hands claims over. Events then update the inbox. */
export async function passOn({ clientId, ...handover }: HandoverText): Promise<Handover> {
  const body = { ...handover, items: [...handover.items], client_id: clientId };
  return (await call(handOver, { body })).data;
}

/** Accepts a handover. */
export async function accept(client: QueryClient, id: string): Promise<void> {
  await call(acceptHandover, { params: { id } });
  await Promise.all([
    client.invalidateQueries({ queryKey: ['handovers'] }),
    client.invalidateQueries({ queryKey: ['inbox', 'stats'] }),
  ]);
}
