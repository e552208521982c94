import type { Conversation } from '@stagedoor/contract/conversations';
import type { FanTag } from '@stagedoor/contract/fans';
import type { ServerEvent, ServerEventName } from '@stagedoor/contract/realtime';
import type { GlobalTag } from '@stagedoor/contract/tags';
import { notifyManager, type Query, type QueryClient } from '@tanstack/react-query';
import { ADMINS_KEY } from '../features/admins/key.ts';
import {
  addMessage,
  applyFanRead,
  applyMessageRead,
  applyPurchaseRecorded,
  applyPurchaseRefunded,
  applyReaction,
  newestSeq,
  noteVersion,
} from '../features/conversation/cache.ts';
import { setNotice } from '../features/conversation/notice.ts';
import {
  changeMessages,
  threadIn,
  updateSpans,
  updateThread,
} from '../features/conversation/queries.ts';
import type { Sender } from '../features/conversation/sender.ts';
import { fanKeys } from '../features/fan-facts/keys.ts';
import { applyChange, type ConversationChange, newerOf } from '../features/inbox/cache.ts';
import { statementKeys } from '../features/statements/keys.ts';
import {
  dropFromLibrary,
  putInLibrary,
  withTagDeleted,
  withTagUpdated,
} from '../features/tags/cache.ts';
import { globalTagsOptions } from '../features/tags/queries.ts';
import { t, translated } from '../lib/i18n.ts';
import { patchQueries } from '../lib/patch-queries.ts';
import { getSession, updateAdmin } from '../lib/session.ts';
import {
  changeFanTags,
  knownConversation,
  putConversation,
  refreshTagLists,
  removeConversation,
} from './live-inbox.ts';

/** What handlers work with. */
export interface EventTools {
  client: QueryClient;
  adminId: string;
  sender: Sender;
  /** Events before this one are missing in the conversation. */
  onGap: (conversationId: string) => void;
  /** The newest version of a conversation that an event told of; 0 before the first. */
  latestTold: (conversationId: string) => number;
  /** What came into a conversation that nothing loaded shows has to be looked up. */
  onUnknown: (conversationId: string, version: number) => void;
  /** An event told of this version of a conversation that nothing loaded shows. */
  onUnseen: (conversationId: string, version: number) => void;
  /** The conversation as an event left it. */
  onConversation: (conversation: Conversation) => void;
  /** The conversation is gone. */
  onRemoved: (conversationId: string) => void;
  /** A tag of the library changed, on whichever fans have it. */
  onTag: (tagId: string, change: (tags: FanTag[]) => FanTag[]) => void;
  /** The conversation with its fan's tags as they were told of by now. */
  withTags: (conversation: Conversation) => Conversation;
  /** What the tiles and tabs count may have changed. */
  onCountsChanged: () => void;
  /** The admin pinned or unpinned something, here or elsewhere. */
  onPinsChanged: () => void;
  /** Something was sold or refunded. */
  onSalesChanged: () => void;
  /** Something about a fan changed that is shown at a glance. */
  onFanChanged: (conversationId: string) => void;
  /** What fans were told or promised changed, or whose it is to keep. */
  onStatementsChanged: () => void;
  /** A colleague is shown differently from now on, wherever they are shown. */
  onStaffChanged: () => void;
}

type Handlers = { [N in ServerEventName]: (event: ServerEvent<N>, tools: EventTools) => void };

/** Takes the change over wherever the conversation is shown; false where it is not. */
function changeConversation(tools: EventTools, change: ConversationChange): boolean {
  const known = knownConversation(tools.client, change.id);
  if (!known) {
    tools.onUnseen(change.id, change.version);
    return false;
  }
  const next = applyChange(known, change);
  putConversation(tools.client, tools.adminId, next, known);
  tools.onConversation(next);
  return true;
}

function changeTag(tools: EventTools, tagId: string, change: (tags: FanTag[]) => FanTag[]): void {
  changeFanTags(tools.client, change);
  refreshTagLists(tools.client);
  tools.onTag(tagId, change);
}

/** Whether one is to keep a promise to this fan, as far as is known. */
const hasPromise = (client: QueryClient, id: string): boolean | undefined =>
  client
    .getQueryData<{ conversation_id: string }[]>(statementKeys.promises)
    ?.some(({ conversation_id }) => conversation_id === id);

function changeLibrary(client: QueryClient, change: (library: GlobalTag[]) => GlobalTag[]): void {
  patchQueries(client, { queryKey: globalTagsOptions.queryKey }, change);
}

/** What shows staff's notes is not part of the first load. Without it nothing is shown that would have to be changed. */
function tellNotes(
  tell: (live: typeof import('../features/staff-notes/queries.ts')) => void,
): void {
  import('../features/staff-notes/queries.ts')
    .then(tell)
    .catch((error: unknown) => console.error('Failed to take in a note', error));
}

function mentionsChanged({ client, onCountsChanged }: EventTools): void {
  tellNotes((live) => live.mentionsChanged(client));
  onCountsChanged();
}

/** Shows a changed admin where the staff were listed, which is known to the console's own part of the app. */
async function showAdmin(client: QueryClient, event: ServerEvent<'admin_updated'>): Promise<void> {
  if (!client.getQueryState(ADMINS_KEY)) return;
  const staff = await import('./live-staff.ts');
  await staff.showAdmin(client, event);
}

/** The newest state of the signed-in admin that was told: what comes later may be older. */
const ownVersions = new WeakMap<QueryClient, number>();

/** What each event of the server does to what is cached. */
export const serverEventHandlers: Handlers = {
  new_message(event, tools) {
    const { conversation_id: id, message, version, tempId } = event;
    const thread = threadIn(tools.client, id);
    if (thread && message.seq > newestSeq(thread) + 1) tools.onGap(id);
    updateThread(tools.client, id, (held) => addMessage(held, message, version));
    updateSpans(tools.client, id, (span) => noteVersion(span, version));
    if (tempId !== null) tools.sender.confirm(tempId, message);
    if (!changeConversation(tools, event.conversation)) tools.onUnknown(id, version);
    tools.onFanChanged(id);
    tools.onCountsChanged();
  },
  message_sent({ tempId, message }, { sender }) {
    sender.confirm(tempId, message);
  },
  message_error(event, { client, sender }) {
    if (event.tempId !== undefined)
      sender.refuse(event.tempId, translated(event.error), event.code);
    // Of who is where nobody need be told that it was not.
    else if (event.conversation_id === undefined)
      setNotice(client, translated(event.error) || t('Socket error occurred'));
  },
  message_read(event, tools) {
    const { conversation_id: id, version, unread_count } = event;
    changeMessages(tools.client, id, (thread) => applyMessageRead(thread, event));
    changeConversation(tools, { id, version, unread_count, marked_unread: false });
    tools.onCountsChanged();
  },
  fan_read(event, tools) {
    const { conversation_id: id, version } = event;
    changeMessages(tools.client, id, (thread) => applyFanRead(thread, event));
    changeConversation(tools, { id, version });
  },
  reaction_toggled(event, tools) {
    const { conversation_id: id, version } = event;
    changeMessages(tools.client, id, (thread) => applyReaction(thread, event));
    changeConversation(tools, { id, version });
  },
  purchase_recorded(event, tools) {
    const { conversation_id: id, version } = event;
    changeMessages(tools.client, id, (thread) => applyPurchaseRecorded(thread, event));
    changeConversation(tools, { id, version });
    tools.onSalesChanged();
    tools.onFanChanged(id);
  },
  purchase_refunded(event, tools) {
    const { conversation_id: id, version } = event;
    changeMessages(tools.client, id, (thread) => applyPurchaseRefunded(thread, event));
    changeConversation(tools, { id, version });
    tools.onSalesChanged();
    tools.onFanChanged(id);
  },
  conversation_updated(event, tools) {
    const { client, adminId } = tools;
    const conversation = tools.withTags(event.conversation);
    const { id, version } = conversation;
    const known = knownConversation(client, id);
    const latest = tools.latestTold(id);
    changeMessages(client, id, (thread) => noteVersion(thread, version));
    // Told late: it would come back as it was into a list that it has left.
    if (Math.max(version, known?.version ?? 0) < latest) {
      tools.onUnknown(id, latest);
      return;
    }
    const newest = known === null ? conversation : newerOf(known, conversation);
    putConversation(client, adminId, newest, known);
    tools.onConversation(newest);
    tools.onCountsChanged();
    // Whoever holds it is to keep what was promised.
    if (conversation.claimed_by === adminId || hasPromise(client, id)) tools.onStatementsChanged();
  },
  conversation_removed({ conversation_id: id }, tools) {
    removeConversation(tools.client, id);
    for (const queryKey of [fanKeys.one(id), statementKeys.of(id)]) {
      tools.client.removeQueries({ queryKey });
    }
    tools.onRemoved(id);
    tools.onStatementsChanged();
    tools.onCountsChanged();
    mentionsChanged(tools);
  },
  staff_note_saved({ note }, tools) {
    tellNotes((live) => live.noteSaved(tools.client, note));
    if (note.version > 1 || note.mentions.some(({ id }) => id === tools.adminId))
      mentionsChanged(tools);
  },
  staff_note_deleted({ conversation_id, id }, tools) {
    tellNotes((live) => live.noteDeleted(tools.client, conversation_id, id));
    mentionsChanged(tools);
  },
  mentions_read(_event, tools) {
    mentionsChanged(tools);
  },
  handovers_changed(_event, { client, onCountsChanged }) {
    void client.invalidateQueries({ queryKey: ['handovers'] });
    onCountsChanged();
  },
  statements_changed: (_event, tools) => tools.onStatementsChanged(),
  shared_updated({ what, conversation_id: id }, { client }) {
    // Of what belongs to a conversation only the lists that it may be in.
    const predicate = ({ queryKey: [, of] }: Query) =>
      !id || of === id || of === 'mine' || of === 'all';
    void client.invalidateQueries({ queryKey: [what], predicate });
  },
  global_tag_updated({ tag }, tools) {
    changeTag(tools, tag.id, (tags) => withTagUpdated(tags, tag));
    changeLibrary(tools.client, (library) => putInLibrary(library, tag));
  },
  global_tag_deleted({ id }, tools) {
    changeTag(tools, id, (tags) => withTagDeleted(tags, id));
    changeLibrary(tools.client, (library) => dropFromLibrary(library, id));
  },
  admin_updated(event, { client, adminId }) {
    showAdmin(client, event).catch((error: unknown) =>
      console.error('Failed to refresh the admins', error),
    );
    const { admin_id, is_active, version, ...change } = event;
    const session = getSession();
    if (admin_id !== adminId || !is_active || session.status !== 'signed_in') return;
    if ((ownVersions.get(client) ?? 0) >= version) return;
    ownVersions.set(client, version);
    updateAdmin({ ...session.admin, ...change });
  },
  pins_updated(_event, tools) {
    tools.onPinsChanged();
  },
  staff_updated(_event, tools) {
    tools.onStaffChanged();
  },
  draft_updated(event) {
    later(({ takeDraft }) => takeDraft(event));
  },
  presence(event) {
    later(({ takeSeats }) => takeSeats(event));
  },
};

/** What is no part of the first load. */
function later(use: (live: typeof import('./live-later.ts')) => void): void {
  import('./live-later.ts').then(use, (error: unknown) => console.error('Failed to load', error));
}

/** Events outside of any conversation's sequence: answers to their sender, its end, and what is told of tags and of the staff. */
const PLACELESS: ReadonlySet<ServerEventName> = new Set([
  'message_sent',
  'message_error',
  'conversation_removed',
  'statements_changed',
  'shared_updated',
  'staff_note_saved',
  'staff_note_deleted',
  'mentions_read',
  'handovers_changed',
  'global_tag_updated',
  'global_tag_deleted',
  'admin_updated',
  'pins_updated',
  'staff_updated',
  'draft_updated',
  'presence',
]);

/** Which conversation's sequence an event stands in, and where; null for those outside of one. */
export function placeOf(
  name: ServerEventName,
  payload: unknown,
): { id: string; version: number } | null {
  if (PLACELESS.has(name)) return null;
  if (name === 'conversation_updated') {
    const { conversation } = payload as ServerEvent<'conversation_updated'>;
    return { id: conversation.id, version: conversation.version };
  }
  const { conversation_id: id, version } = payload as ServerEvent<'message_read'>;
  return { id, version };
}

/** Applies an event; what it changes in several places shows at once. */
export function handleServerEvent(
  name: ServerEventName,
  payload: unknown,
  tools: EventTools,
): void {
  const handle = serverEventHandlers[name] as (event: unknown, tools: EventTools) => void;
  notifyManager.batch(() => handle(payload, tools));
}
