import { startDraftSync } from '../features/conversation/draft-sync.ts';
import { forgetSeats } from '../features/presence/seats.ts';
import type { RealtimeSocket } from '../lib/socket.ts';

export { takeDraft } from '../features/conversation/draft-sync.ts';
export { takeSeats } from '../features/presence/seats.ts';

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
