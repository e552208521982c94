import { createStore } from './store.ts';
import { onStored, stored } from './stored.ts';

/** The session of this browser. */
export interface Session {
  token: string | null;
  /** Whether the last session ended because the server no longer accepted it. */
  isOver: boolean;
}

const TOKEN = 'session';
/** The stored copy of the conversation. It is removed with the session; drafts and unsent messages stay. */
export const COPY = 'copy';
/** What the fan is paying for: the id of an attachment, or `tip` and the number of tips before. */
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
