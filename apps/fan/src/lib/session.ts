import { createStore } from './store.ts';
import { onStored, stored } from './stored.ts';

/** Who is in: the token of an open session; none; or none any more. */
export interface Session {
  token: string | null;
  /** Whether there was one, which the server does not accept any longer. */
  isOver: boolean;
}

const TOKEN = 'session';
/** What is kept of the conversation goes with the session; drafts and unsent messages stay. */
export const COPY = 'copy';
/** What the fan has gone to pay for. */
export const PAYING = 'paying';

export const session = createStore<Session>({ token: stored.get(TOKEN), isOver: false });

export const getToken = (): string | null => session.get().token;

export function openSession(token: string): void {
  stored.set(TOKEN, token);
  stored.remove(COPY);
  session.update(() => ({ token, isOver: false }));
}

/** The server does not accept the token any more. Another one, taken up meanwhile, is left alone. */
export function sessionRefused(token: string): void {
  if (getToken() !== token) return;
  stored.remove(TOKEN);
  stored.remove(COPY);
  session.update(() => ({ token: null, isOver: true }));
}

/** Takes part in what other tabs do with the session. */
export function watchSession(): void {
  onStored(TOKEN, (token) => {
    session.update((held) =>
      held.token === token ? held : { token, isOver: token === null && held.token !== null },
    );
  });
}
