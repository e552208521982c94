import { endFanSession, getFanHome, openFanSession } from '@stagedoor/contract/platform/fan-app';
import { ApiError, call } from '../lib/api.ts';
import { isEmbedded } from '../lib/embed.ts';
import { getToken, openSession, PAYING } from '../lib/session.ts';
import { storedInTab } from '../lib/stored.ts';

/** The tokens in the client's URL. */
export interface Entry {
  link: string | null;
  invite: string | null;
}

const HOME = '/fan/';
const WELCOME = '/fan/welcome';

/** Reads the tokens from a URL's fragment, which servers and logs never see. */
export function entryOf(url: URL): Entry {
  const fragment = new URLSearchParams(url.hash.slice(1));
  const isWelcome = url.pathname === WELCOME;
  return {
    link: isWelcome ? null : fragment.get('link'),
    invite: isWelcome ? fragment.get('invite') : null,
  };
}

/** Reads the tokens from the URL and removes them, so that nobody can see or copy them. */
export function takeEntry(): Entry {
  const url = new URL(window.location.href);
  const entry = entryOf(url);
  const kept = window.history.state as { invite?: string } | null;
  // A reload loses the fragment, but not the history state.
  const invite = entry.invite ?? (url.pathname === WELCOME ? (kept?.invite ?? null) : null);
  const state = invite === null ? null : { invite };
  // If the fan has not just paid, clears the stored payment, so that the client doesn't wait for it.
  if (url.searchParams.get('checkout') !== 'paid') storedInTab.remove(PAYING);
  url.searchParams.delete('checkout');
  window.history.replaceState(state, '', url.pathname + url.search);
  return { ...entry, invite };
}

/** Replaces the welcome page's URL with the conversation's. */
export function goHome(): void {
  window.history.replaceState(null, '', HOME + window.location.search);
}

/** A session of a different fan. It is used only if the person confirms. */
export interface OtherFan {
  readonly otherToken: string;
}

export type Opened = 'opened' | 'invalid' | 'unreachable' | OtherFan;

/**
 * Opens a session, unless a different fan is signed in: a link or an invitation must not silently make a person write as someone
 * else. When embedded, the new session always wins, because the embedding page decides who is signed in.
 * @returns the unopened token if a different fan is signed in
 */
export async function openUnlessOther(token: string): Promise<'opened' | OtherFan> {
  const held = getToken();
  if (held !== null && !isEmbedded && !(await isSameFan(held, token))) return { otherToken: token };
  openSession(token);
  return 'opened';
}

/** Exchanges a link for a session and opens it, unless a different fan is signed in. */
export async function openByLink(link: string): Promise<Opened> {
  try {
    return await openUnlessOther((await call(openFanSession, { body: { link } })).data.token);
  } catch (error) {
    return error instanceof ApiError && error.code === 'invalid_link' ? 'invalid' : 'unreachable';
  }
}

/** Checks whether both sessions belong to the same fan. Also true if the held session has ended. */
async function isSameFan(held: string, token: string): Promise<boolean> {
  const fanOf = async (of: string) => (await call(getFanHome, {}, of)).data.fan.id;
  const before = await fanOf(held).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  });
  return before === null || before === (await fanOf(token));
}

/** Keeps the current session and ends the other one. */
export function declineOther({ otherToken }: OtherFan): void {
  // If this fails, the session stays open, but its token is discarded.
  call(endFanSession, {}, otherToken).catch(() => undefined);
}
