import { useSyncExternalStore } from 'react';
import { createStoredInput } from '../../lib/server/stored.ts';
import type { ReplyTarget } from '../messages/reply-target.ts';
import { clearUnsent, hasUnsent } from '../messages/unsent.ts';

/** How long an unchanged draft is kept, in milliseconds. */
export const DRAFT_LIFE_MS = 7 * 24 * 60 * 60 * 1000;

/** An unsent reply in a conversation. */
export interface Draft {
  text: string;
  replyTo: ReplyTarget | null;
  savedAt: number;
  /**
   * The server's version of this draft; undefined while it has unsaved changes. A blank draft without a version has yet to be
   * deleted on the server.
   */
  version?: number;
}

/** Returns whether a draft is young enough to be kept. */
export const isCurrent = ({ savedAt }: Pick<Draft, 'savedAt'>, now = Date.now()): boolean =>
  now - savedAt < DRAFT_LIFE_MS;

const drafts = createStoredInput<Draft>('drafts', isCurrent);

/** Conversations whose draft changes in this tab are not on the server yet. */
export const unsynced = new Set<string>();

export const isBlank = ({ text, replyTo }: Pick<Draft, 'text' | 'replyTo'>): boolean =>
  text.trim() === '' && replyTo === null;

/** Returns all local drafts, including deletions that are not on the server yet. */
export const heldDrafts = drafts.all;

/** Replaces the local draft with the server's. */
export const keepDraft = drafts.write;

/** Returns a conversation's draft, or null. */
export function readDraft(conversationId: string): Draft | null {
  const held = drafts.read(conversationId);
  return held && !isBlank(held) ? held : null;
}

/** Stores a draft; blank text without a reply target removes it. */
export function writeDraft(conversationId: string, draft: Omit<Draft, 'savedAt'> | null): void {
  const { text, replyTo } = draft ?? { text: '', replyTo: null };
  if (readDraft(conversationId) === null && isBlank({ text, replyTo })) return;
  unsynced.add(conversationId);
  keepDraft(conversationId, { text, replyTo, savedAt: Date.now() });
}

/** Returns whether there is unsent text, so that signing out asks first. */
export function hasAnyDraft(): boolean {
  return Object.values(heldDrafts()).some((held) => !isBlank(held)) || hasUnsent();
}

/** Deletes the signed-in admin's drafts and unsent messages. Call it before a sign-out clears the session. */
export function clearDrafts(): void {
  drafts.clear();
  clearUnsent();
}

/** Subscribes to changes of any draft. Returns the unsubscribe function. */
export const { subscribe } = drafts;

/** Returns a conversation's draft or null, and re-renders when it changes. */
export function useDraft(conversationId: string): Draft | null {
  return useSyncExternalStore(subscribe, () => readDraft(conversationId));
}
