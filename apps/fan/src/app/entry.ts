import { endFanSession, getFanHome, openFanSession } from '@stagedoor/contract/platform/fan-app';
import { ApiError, call } from '../lib/api.ts';
import { isEmbedded } from '../lib/embed.ts';
import { getToken, openSession, PAYING } from '../lib/session.ts';
import { stored } from '../lib/stored.ts';

/** What the address asked for. */
export interface Entry {
  /** A session link that is to be exchanged. */
  link: string | null;
  /** An invitation that is to be looked at. */
  invite: string | null;
}

const HOME = '/fan/';
const WELCOME = '/fan/welcome';

/** What an address of the client carries behind its `#`, where neither servers nor logs see it. */
export function entryOf(url: URL): Entry {
  const fragment = new URLSearchParams(url.hash.slice(1));
  const isWelcome = url.pathname === WELCOME;
  return {
    link: isWelcome ? null : fragment.get('link'),
    invite: isWelcome ? fragment.get('invite') : null,
  };
}

/** Reads what the address carries and takes it out, before anybody can look over a shoulder or copy it. */
export function takeEntry(): Entry {
  const url = new URL(window.location.href);
  const entry = entryOf(url);
  const kept = window.history.state as { invite?: string } | null;
  // A page that is loaded again has lost its fragment, not what the tab remembers of it.
  const invite = entry.invite ?? (url.pathname === WELCOME ? (kept?.invite ?? null) : null);
  const state = invite === null ? null : { invite };
  // Back from a page to pay on: what is being waited for is remembered only if it was paid.
  if (url.searchParams.get('checkout') !== 'paid') stored.remove(PAYING);
  url.searchParams.delete('checkout');
  window.history.replaceState(state, '', url.pathname + url.search);
  return { ...entry, invite };
}

/** Leaves the welcome page's address. */
export function goHome(): void {
  window.history.replaceState(null, '', HOME + window.location.search);
}

/** A session of another fan than the one who is in, to take over only if they say so. */
export interface OtherFan {
  readonly otherToken: string;
}

export type Opened = 'opened' | 'invalid' | 'unreachable' | OtherFan;

/**
 * Exchanges a link for a session. Where somebody else is in, theirs stays: whoever sent the link may want them to write as another
 * fan without noticing. A page that embeds the client says itself who is in.
 */
export async function openByLink(link: string): Promise<Opened> {
  try {
    const held = getToken();
    const { token } = (await call(openFanSession, { body: { link } })).data;
    if (held !== null && !isEmbedded && !(await isSameFan(held, token))) {
      return { otherToken: token };
    }
    openSession(token);
    return 'opened';
  } catch (error) {
    return error instanceof ApiError && error.code === 'invalid_link' ? 'invalid' : 'unreachable';
  }
}

/** Whether the new session is of the fan who is in; also where the one that is held has ended. */
async function isSameFan(held: string, token: string): Promise<boolean> {
  const fanOf = async (of: string) => (await call(getFanHome, {}, of)).data.fan.id;
  const before = await fanOf(held).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  });
  return before === null || before === (await fanOf(token));
}

/** Keeps the session that is held, and ends the other one. */
export function declineOther({ otherToken }: OtherFan): void {
  // Should it not come to that, nobody has the token any more.
  call(endFanSession, {}, otherToken).catch(() => undefined);
}
