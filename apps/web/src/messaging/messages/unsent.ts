import { useEffect, useSyncExternalStore } from 'react';
import { createStored } from '../../lib/server/stored.ts';
import { useNow } from '../../lib/use-now.ts';
import type { Guard, OutgoingAttachment, PendingMessage } from './outbox.ts';
import type { ReplyTarget } from './reply-target.ts';

/**
 * A message that is not confirmed yet. It is stored before the first attempt and until its outcome is known, so that neither a
 * failure nor a reload loses it.
 */
export interface UnsentMessage extends Guard {
  tempId: string;
  conversation_id: string;
  content: string;
  replyTo: ReplyTarget | null;
  attachments: readonly OutgoingAttachment[];
  /** Why sending was given up; null while a tab is still trying. */
  error: string | null;
  /** Whether sending was given up because a teammate replied first. */
  isStale?: boolean | undefined;
  /** The id of the tab that sends the message, and when sending started, in milliseconds. */
  tab: string;
  startedAt: number;
}

/** The age in milliseconds from which another tab's message counts as abandoned. Longer than any attempt takes. */
const ABANDONED_MS = 60_000;

const STORED_TAB = 'stagedoor_tab';

function thisTab(): string {
  const known = sessionStorage.getItem(STORED_TAB);
  if (known !== null) return known;
  const tab = String(Math.random()).slice(2);
  sessionStorage.setItem(STORED_TAB, tab);
  return tab;
}

const NONE: readonly UnsentMessage[] = [];

const unsent = createStored<readonly UnsentMessage[]>({
  name: 'unsent',
  empty: NONE,
  parse: (text) =>
    // Entries stored by an earlier app version have no attachments.
    (JSON.parse(text) as UnsentMessage[]).map((held) => ({
      ...held,
      attachments: held.attachments ?? [],
    })),
});

/**
 * The ids of messages that this tab knows to be sent, discarded or taken back. Each tab writes the whole list, so two tabs that
 * write at the same moment may put back an entry that one of them has just removed.
 */
const done = new Set<string>();

const isLeft = ({ tempId }: UnsentMessage) => !done.has(tempId);

/** Removes entries that another tab has put back. */
function takeOutDone(): void {
  const left = unsent.get().filter(isLeft);
  if (left.length < unsent.get().length) unsent.set(left);
}

/** Stores a message that this tab starts to send. */
export function noteSending({
  tempId,
  conversation_id,
  content,
  replyTo,
  attachments,
  lastSeenId,
}: Pick<
  PendingMessage,
  'tempId' | 'conversation_id' | 'content' | 'replyTo' | 'attachments' | 'lastSeenId'
>): void {
  const message = {
    tempId,
    conversation_id,
    content,
    replyTo,
    attachments,
    lastSeenId,
    error: null,
    tab: thisTab(),
    startedAt: Date.now(),
  };
  done.delete(tempId);
  unsent.set([...unsent.get().filter((held) => held.tempId !== tempId && isLeft(held)), message]);
}

/** Stores why a message was given up. */
export function noteGivenUp(tempId: string, error: string, isStale: boolean): void {
  unsent.set(
    unsent.get().map((held) => (held.tempId === tempId ? { ...held, error, isStale } : held)),
  );
}

/** Removes a message that was sent, discarded or taken back for editing. */
export function removeUnsent(tempId: string): void {
  done.add(tempId);
  takeOutDone();
}

export function hasUnsent(): boolean {
  return unsent.get().length > 0;
}

export function clearUnsent(): void {
  unsent.set(NONE);
}

/**
 * Returns a conversation's messages that no tab is sending anymore. `isPending` returns whether this page still shows the
 * message as pending.
 */
export function abandoned(
  messages: readonly UnsentMessage[],
  conversationId: string,
  isPending: (tempId: string) => boolean,
  { tab, now }: { tab: string; now: number },
): UnsentMessage[] {
  return messages.filter((message) => {
    if (message.conversation_id !== conversationId || isPending(message.tempId)) return false;
    if (message.error !== null || message.tab === tab) return true;
    return now - message.startedAt > ABANDONED_MS;
  });
}

/** Returns the messages of the unsent tray, and re-renders when they change. */
export function useUnsent(
  conversationId: string,
  isPending: (tempId: string) => boolean,
): UnsentMessage[] {
  const messages = useSyncExternalStore(unsent.subscribe, unsent.get);
  useEffect(takeOutDone, [messages]);
  return abandoned(messages.filter(isLeft), conversationId, isPending, {
    tab: thisTab(),
    now: useNow(),
  });
}
