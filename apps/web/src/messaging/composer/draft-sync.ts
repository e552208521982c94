import {
  DRAFTS_MAX,
  discardDraft,
  discardDrafts,
  listDrafts,
  type Draft as ServerDraft,
  saveDraft,
} from '@stagedoor/contract/messaging/drafts';
import type { ServerEvent } from '@stagedoor/contract/realtime';
import { afterPaint } from '../../lib/after-paint.ts';
import { ApiError, call, isPassing } from '../../lib/server/api.ts';
import type { RealtimeSocket } from '../../lib/server/socket.ts';
import {
  DRAFT_LIFE_MS,
  type Draft,
  heldDrafts,
  isBlank,
  keepDraft,
  subscribe,
  unsynced,
} from './drafts.ts';

/** The delay before a failed save is retried, in milliseconds. A reconnect retries it as well. */
const RETRY_MS = 10_000;
/** The maximum time that a sign-out waits for the server to delete the drafts, in milliseconds. */
const SIGN_OUT_PATIENCE_MS = 2_000;

/** A conversation's draft as last seen on the server. */
interface Known {
  /** Null if there is none. */
  readonly draft: Draft | null;
  readonly version: number;
}

/** The newest known version of each conversation's draft on the server. Older versions are dropped. */
const newest = new Map<string, Known>();
/**
 * When the server last confirmed a save of each conversation's draft. The server dates an edit by subtracting its age from the
 * time of arrival, so a slow request makes an edit seem newer than it is. The next edit is dated no earlier than this
 * confirmation, so that it never seems older than the previous one.
 */
const answeredAt = new Map<string, number>();
const underWay = new Set<string>();
/** Incremented when a sync starts or stops, so that responses to an earlier sync's calls are ignored. */
let generation = 0;

const isSame = (a: Draft | undefined, b: Draft): boolean =>
  a?.text === b.text && a.savedAt === b.savedAt && a.replyTo?.id === b.replyTo?.id;

const fromServer = ({ text, reply_to, version, edited_at }: ServerDraft): Draft => ({
  text,
  replyTo: reply_to,
  savedAt: Date.parse(edited_at),
  version,
});

/** Applies a draft event from the server, unless this device has unsaved changes to that draft. */
export function takeDraft(event: ServerEvent<'draft_updated'>): void {
  const { conversation_id: id, version } = event;
  if ((newest.get(id)?.version ?? 0) >= version) return;
  const draft = event.draft && fromServer(event.draft);
  newest.set(id, { draft, version });
  const held = heldDrafts()[id];
  if (held ? held.version !== undefined : draft) keepDraft(id, draft);
}

/**
 * Saves the draft to the server, or deletes it if it is blank.
 * @returns the draft to keep locally
 */
async function store(id: string, held: Draft): Promise<Known> {
  const params = { id };
  if (isBlank(held)) {
    const { version } = (await call(discardDraft, { params })).data;
    return { draft: null, version };
  }
  const editedAt = Math.max(held.savedAt, answeredAt.get(id) ?? 0);
  const age = Math.max(0, Math.min(Date.now() - editedAt, DRAFT_LIFE_MS));
  const body = { text: held.text, reply_to: held.replyTo, age_ms: age };
  const stored = (await call(saveDraft, { params, body })).data;
  answeredAt.set(id, Date.now());
  // The server may hold a newer edit from another device.
  const isOurs = stored.text === held.text && stored.reply_to?.id === held.replyTo?.id;
  const { version } = stored;
  return { draft: isOurs ? { ...held, version } : fromServer(stored), version };
}

/** Pushes the conversation's draft until the server has the latest one. One call at a time keeps the changes in order. */
async function push(id: string): Promise<void> {
  if (underWay.has(id)) return;
  underWay.add(id);
  const mine = generation;
  try {
    for (;;) {
      await afterPaint();
      if (mine !== generation) return;
      const held = heldDrafts()[id];
      if (!held || held.version !== undefined) break;
      const stored = await store(id, held);
      if (mine !== generation) return;
      // Another device's change may have arrived before this response.
      const known = newest.get(id) ?? stored;
      const { draft, version } = known.version > stored.version ? known : stored;
      newest.set(id, { draft, version });
      if (isSame(heldDrafts()[id], held)) keepDraft(id, draft);
    }
    unsynced.delete(id);
  } catch (error) {
    if (mine !== generation) return;
    if (isPassing(error)) setTimeout(pushAll, RETRY_MS, mine);
    // The conversation no longer exists, or the server rejects the text: the draft stays on this device.
    else {
      unsynced.delete(id);
      if (!(error instanceof ApiError)) console.error('Failed to store a draft', error);
    }
  } finally {
    underWay.delete(id);
  }
}

function pushAll(of = generation): void {
  if (of === generation) for (const id of unsynced) void push(id);
}

/** Fetches all drafts. Removes local copies that the server no longer has. */
async function fetchAll(): Promise<void> {
  const mine = generation;
  const before = heldDrafts();
  const { data } = await call(listDrafts);
  if (mine !== generation) return;
  const stored = new Set(data.map(({ conversation_id }) => conversation_id));
  for (const draft of data) takeDraft({ ...draft, draft });
  if (data.length >= DRAFTS_MAX) return;
  for (const [id, held] of Object.entries(before)) {
    const isStill = held.version !== undefined && heldDrafts()[id]?.version === held.version;
    if (isStill && !stored.has(id)) keepDraft(id, null);
  }
}

/**
 * Keeps this device's drafts in sync with the server while someone is signed in. Pushes changes that earlier visits could not
 * save.
 * @returns a function that stops the sync
 */
export function startDraftSync(
  socket: Pick<RealtimeSocket, 'getConnection' | 'subscribe'>,
): () => void {
  generation += 1;
  newest.clear();
  answeredAt.clear();
  unsynced.clear();
  for (const [id, { version }] of Object.entries(heldDrafts()))
    if (version === undefined) unsynced.add(id);
  const catchUp = () => {
    if (socket.getConnection().status !== 'connected') return;
    fetchAll().catch((error: unknown) => {
      if (!isPassing(error)) console.error('Failed to fetch drafts', error);
    });
    pushAll();
  };
  const stopStore = subscribe(pushAll);
  const stopSocket = socket.subscribe(catchUp);
  catchUp();
  return () => {
    generation += 1;
    stopStore();
    stopSocket();
  };
}

/** Deletes all drafts on the server at sign-out. The sign-out continues if there is no answer. */
export async function deleteStoredDrafts(): Promise<void> {
  generation += 1;
  const signal = AbortSignal.timeout(SIGN_OUT_PATIENCE_MS);
  await call(discardDrafts, { signal }).catch((error: unknown) =>
    console.error('Failed to delete drafts', error),
  );
}
