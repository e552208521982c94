import { forgetSeats } from '../../inbox/presence/seats.ts';
import type { RealtimeSocket } from '../../lib/server/socket.ts';
import { startDraftSync } from '../../messaging/composer/draft-sync.ts';

export { takeSeats } from '../../inbox/presence/seats.ts';
export { takeDraft } from '../../messaging/composer/draft-sync.ts';

/** Keeps live what can wait until the inbox is there. @returns how to stop */
export function startLive(socket: RealtimeSocket): () => void {
  const stopDrafts = startDraftSync(socket);
  // Whatever happens meanwhile is not heard; the next connection begins with who is there.
  const stopSeats = socket.subscribe(() => {
    if (socket.getConnection().status !== 'connected') forgetSeats();
  });
  return () => {
    stopDrafts();
    stopSeats();
    forgetSeats();
  };
}
