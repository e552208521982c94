import { useSyncExternalStore } from 'react';
import { createStored } from '../../lib/server/stored.ts';
import type { ReplyTarget } from '../messages/reply-target.ts';
import { forgetAllUnsent, hasUnsent } from '../messages/unsent.ts';

/** A draft that was not touched for this long is forgotten. */
export const DRAFT_LIFE_MS = 7 * 24 * 60 * 60 * 1000;

/** A text that was begun in a conversation and not sent. */
export interface Draft {
  text: string;
  replyTo: ReplyTarget | null;
  savedAt: number;
  /** The server's number of what it has of it; without one it is not told yet. A blank that is not told yet says that it is gone. */
  version?: number;
}

type Drafts = Readonly<Record<string, Draft>>;

const NONE: Drafts = {};

/** The drafts in a stored text that are still alive. */
export function parseDrafts(text: string, now: number): Drafts {
  const stored = JSON.parse(text) as Drafts;
  return Object.fromEntries(
    Object.entries(stored).filter(([, draft]) => now - draft.savedAt < DRAFT_LIFE_MS),
  );
}

const drafts = createStored<Drafts>({
  name: 'drafts',
  empty: NONE,
  parse: (text) => parseDrafts(text, Date.now()),
  isEmpty: (value) => Object.keys(value).length === 0,
});

/** Conversations in which this tab wrote or gave up something that the server is to be told. */
export const untold = new Set<string>();

export const isBlank = ({ text, replyTo }: Pick<Draft, 'text' | 'replyTo'>): boolean =>
  text.trim() === '' && replyTo === null;

/** All that this device keeps, those included that are gone and not told yet. */
export const heldDrafts = drafts.get;

/** Keeps what the server has, in place of what is here. */
export function keepDraft(conversationId: string, draft: Draft | null): void {
  const { [conversationId]: _previous, ...others } = drafts.get();
  drafts.set(draft === null ? others : { ...others, [conversationId]: draft });
}

/** What was begun in a conversation, or null. */
export function readDraft(conversationId: string): Draft | null {
  const held = drafts.get()[conversationId];
  return held && !isBlank(held) ? held : null;
}

/** Keeps what was begun; blank text without a reply target removes it. */
export function writeDraft(conversationId: string, draft: Omit<Draft, 'savedAt'> | null): void {
  const { text, replyTo } = draft ?? { text: '', replyTo: null };
  if (readDraft(conversationId) === null && isBlank({ text, replyTo })) return;
  untold.add(conversationId);
  keepDraft(conversationId, { text, replyTo, savedAt: Date.now() });
}

/** Whether something was begun in a conversation: the draft marker of its row. */
export function hasDraft(conversationId: string): boolean {
  return readDraft(conversationId) !== null;
}

/** Whether anything was written and not sent: signing out then asks first. */
export function hasAnyDraft(): boolean {
  return Object.keys(drafts.get()).some(hasDraft) || hasUnsent();
}

/** Forgets what the signed-in admin wrote and did not send. To be called before a sign-out clears the session. */
export function clearDrafts(): void {
  drafts.set(NONE);
  forgetAllUnsent();
}

/** Calls back whenever a draft appears, changes or goes; returns how to stop that. */
export function subscribe(listener: () => void): () => void {
  return drafts.subscribe(listener);
}

/** Whether something was begun in a conversation, re-rendering with it. */
export function useHasDraft(conversationId: string): boolean {
  return useSyncExternalStore(subscribe, () => hasDraft(conversationId));
}
