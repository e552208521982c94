import { clearSeats } from '../../inbox/presence/seats.ts';
import type { RealtimeSocket } from '../../lib/server/socket.ts';
import { startDraftSync } from '../../messaging/composer/draft-sync.ts';

export { takeSeats } from '../../inbox/presence/seats.ts';
export { takeDraft } from '../../messaging/composer/draft-sync.ts';
export { takeProgress } from './campaign-progress.ts';

/** Starts the live updates that can wait until the inbox is shown. @returns a function that stops them */
export function startLive(socket: RealtimeSocket): () => void {
  const stopDrafts = startDraftSync(socket);
  // Presence events are missed while disconnected; the next connection starts with a full list.
  const stopSeats = socket.subscribe(() => {
    if (socket.getConnection().status !== 'connected') clearSeats();
  });
  return () => {
    stopDrafts();
    stopSeats();
    clearSeats();
  };
}
