import { createStore } from './store.ts';
import { onStored, stored } from './stored.ts';

/** The session of this browser. */
export interface Session {
  token: string | null;
  /** Whether the last session ended because the server no longer accepted it. */
  isOver: boolean;
}

const TOKEN = 'session';
/** The storage key of the conversation's copy. The copy is removed with the session; drafts and pending messages stay. */
export const COPY = 'copy';
/** The storage key of what the fan is paying for: an attachment's id, or `tip` followed by the number of earlier tips. */
export const PAYING = 'paying';

export const session = createStore<Session>({ token: stored.get(TOKEN), isOver: false });

export const getToken = (): string | null => session.get().token;

export function openSession(token: string): void {
  stored.set(TOKEN, token);
  stored.remove(COPY);
  session.update(() => ({ token, isOver: false }));
}

/** Ends the session because the server no longer accepts its token. A newer session stays. */
export function sessionRefused(token: string): void {
  if (getToken() !== token) return;
  stored.remove(TOKEN);
  stored.remove(COPY);
  session.update(() => ({ token: null, isOver: true }));
}

/** Follows changes of the session in other tabs. */
export function watchSession(): void {
  onStored(TOKEN, (token) => {
    session.update((held) =>
      held.token === token ? held : { token, isOver: token === null && held.token !== null },
    );
  });
}
