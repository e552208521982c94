import type { FanTag } from '@stagedoor/contract/fans/fans';
import type { GlobalTag } from '@stagedoor/contract/fans/tags';
import type {
  Conversation,
  ConversationState,
  InboxStats,
} from '@stagedoor/contract/inbox/conversations';
import type { Message } from '@stagedoor/contract/messaging/messages';
import type { ServerEvent, ServerEventName } from '@stagedoor/contract/realtime';
import { buildConversation } from '../build-conversation.ts';
import { at, buildMessage, buildReply } from '../build-message.ts';

/** The admin of both tabs, and a teammate elsewhere. */
export const ME = { id: 'admin', codename: 'Mango', display_color: '#7024ab' };
export const TEAMMATE = { id: 'other', codename: 'Kiwi', display_color: '#016035' };

/** An event as the server emits it. */
export type EmittedEvent = {
  [N in ServerEventName]: { name: N; payload: ServerEvent<N> };
}[ServerEventName];

interface Held {
  conversation: Conversation;
  messages: Message[];
  /** The stored messages by their idempotency key. */
  byKey: Map<string, Message>;
}

/** A refusal, as in the API's error response. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

const stateOf = (conversation: Conversation): ConversationState => ({
  id: conversation.id,
  version: conversation.version,
  last_seq: conversation.last_seq,
  status: conversation.status,
  unread_count: conversation.unread_count,
  marked_unread: conversation.marked_unread,
  last_message_at: conversation.last_message_at,
  last_message_content: conversation.last_message_content,
  last_message_by: conversation.last_message_by,
  waiting_since: conversation.waiting_since,
  snooze: conversation.snooze,
});

/** A minimal server that follows the contract: all data is in memory; every event goes to every client. */
export class ModelServer {
  readonly held = new Map<string, Held>();
  readonly removed = new Set<string>();
  library: GlobalTag[] = [
    { id: 'g1', label: 'VIP', color: '#ff5733' },
    { id: 'g2', label: 'Quiet', color: '#336699' },
  ];
  private moments = 0;
  private made = 0;
  private readonly emit: (event: EmittedEvent) => void;

  constructor(emit: (event: EmittedEvent) => void) {
    this.emit = emit;
  }

  private now(): string {
    this.moments += 1;
    return at(this.moments);
  }

  find(id: string): Held {
    const held = this.held.get(id);
    if (!held) throw new Refusal(404, 'conversation_not_found');
    return held;
  }

  /** Returns all conversations. Every admin may see all of them. */
  conversations(): Conversation[] {
    return [...this.held.values()].map(({ conversation }) => conversation);
  }

  private change(id: string, part: Partial<Conversation>): Conversation {
    const held = this.find(id);
    const version = held.conversation.version + 1;
    held.conversation = { ...held.conversation, ...part, version };
    return held.conversation;
  }

  /** Emits a conversation's current state, which may be newer than the change. */
  emitUpdated(id: string): void {
    const held = this.held.get(id);
    if (held)
      this.emit({ name: 'conversation_updated', payload: { conversation: held.conversation } });
  }

  newFan(): string {
    this.made += 1;
    const id = `c${this.made}`;
    const conversation = buildConversation({
      id,
      last_seq: 0,
      last_message_at: null,
      last_message_content: null,
      created_at: this.now(),
    });
    this.held.set(id, { conversation, messages: [], byKey: new Map() });
    return id;
  }

  /** Stores a message. A duplicate key returns the stored message. */
  write(
    id: string,
    from: 'fan' | typeof ME,
    key: string | null = null,
    content = `Text ${this.moments}`,
  ): Message {
    const known = key === null ? undefined : this.find(id).byKey.get(key);
    if (known) return this.find(id).messages.find((message) => message.id === known.id) ?? known;
    if (from !== 'fan') this.readMessages(id, Number.POSITIVE_INFINITY);
    const held = this.find(id);
    const { last_seq, waiting_since, snooze, marked_unread } = held.conversation;
    const unread_count = held.conversation.unread_count - Number(marked_unread);
    const seq = last_seq + 1;
    const created_at = this.now();
    const parts = { seq, id: `${id}-m${seq}`, conversation_id: id, content, created_at };
    const message = from === 'fan' ? buildMessage(parts) : buildReply({ ...parts, author: from });
    const conversation = this.change(id, {
      last_seq: seq,
      last_message_at: created_at,
      last_message_content: content,
      last_message_by: from === 'fan' ? null : from.id,
      unread_count: from === 'fan' ? unread_count + 1 : unread_count,
      marked_unread: false,
      snooze: from === 'fan' ? null : snooze,
      waiting_since: from === 'fan' ? (waiting_since ?? created_at) : null,
    });
    held.messages = [...held.messages, message];
    if (key !== null) held.byKey.set(key, message);
    const { version } = conversation;
    this.emit({
      name: 'new_message',
      payload: {
        conversation_id: id,
        message,
        seq,
        version,
        conversation: stateOf(conversation),
        tempId: key,
      },
    });
    return message;
  }

  private mark(
    id: string,
    fromFan: boolean,
    upTo: number,
  ): { read_at: string; last: Message; count: number } | null {
    const held = this.find(id);
    const isMarked = ({ seq, author, read_at }: Message) =>
      seq <= upTo && (author === null) === fromFan && read_at === null;
    const marked = held.messages.filter(isMarked);
    const last = marked.at(-1);
    if (!last) return null;
    const read_at = this.now();
    held.messages = held.messages.map((message) =>
      isMarked(message) ? { ...message, read_at } : message,
    );
    return { read_at, last, count: marked.length };
  }

  /** Marks the fan's messages as read, or removes an unread mark if they already are. */
  read(id: string, upTo: number): { read_at: string | null; unread_count: number } {
    const read = this.readMessages(id, upTo);
    if (read) return read;
    const { conversation, messages } = this.find(id);
    if (conversation.marked_unread) {
      this.change(id, { marked_unread: false, unread_count: conversation.unread_count - 1 });
      this.emitUpdated(id);
    }
    const last = messages.findLast(
      ({ seq, author, read_at }) => seq <= upTo && author === null && read_at !== null,
    );
    const { unread_count } = this.find(id).conversation;
    return { read_at: last?.read_at ?? null, unread_count };
  }

  private readMessages(id: string, upTo: number): { read_at: string; unread_count: number } | null {
    const marked = this.mark(id, true, upTo);
    const { conversation } = this.find(id);
    if (!marked) return null;
    const { read_at, last } = marked;
    const { version, unread_count } = this.change(id, {
      unread_count: conversation.unread_count - marked.count - Number(conversation.marked_unread),
      marked_unread: false,
    });
    this.emit({
      name: 'message_read',
      payload: {
        conversation_id: id,
        read_at,
        up_to_message_id: last.id,
        up_to_seq: last.seq,
        unread_count,
        version,
      },
    });
    return { read_at, unread_count };
  }

  /** Marks the creator's messages as read by the fan. */
  fanReads(id: string): void {
    const marked = this.mark(id, false, Number.POSITIVE_INFINITY);
    if (!marked) return;
    const { read_at, last } = marked;
    const { version } = this.change(id, {});
    this.emit({
      name: 'fan_read',
      payload: {
        conversation_id: id,
        read_at,
        up_to_message_id: last.id,
        up_to_seq: last.seq,
        version,
      },
    });
  }

  react(id: string, index: number, user_id: string, emoji: '👍' | '🔥'): void {
    const held = this.find(id);
    const message = held.messages[index % Math.max(1, held.messages.length)];
    if (!message) return;
    const { version } = this.change(id, {});
    const earlier = message.reactions.find((reaction) => reaction.user_id === user_id);
    const action = earlier?.emoji === emoji ? 'removed' : 'added';
    const reaction = { id: `${id}-r${version}`, user_id, emoji, message_id: message.id };
    const others = message.reactions.filter((each) => each !== earlier);
    const reactions = action === 'added' ? [...others, reaction] : others;
    held.messages = held.messages.map((each) => (each === message ? { ...each, reactions } : each));
    this.emit({
      name: 'reaction_toggled',
      payload: { action, message_id: message.id, conversation_id: id, user_id, reaction, version },
    });
  }

  claim(id: string, by: typeof ME): Conversation {
    const { conversation } = this.find(id);
    if (conversation.claimed_by === by.id) return conversation;
    if (conversation.claimed_by !== null) throw new Refusal(409, 'already_claimed');
    return this.change(id, { claimed_by: by.id, claimant: by });
  }

  release(id: string, by: typeof ME): Conversation {
    const { conversation } = this.find(id);
    if (conversation.claimed_by === null) return conversation;
    if (conversation.claimed_by !== by.id) throw new Refusal(403, 'not_claimant');
    return this.change(id, { claimed_by: null, claimant: null });
  }

  markUnread(id: string): Conversation {
    const { conversation } = this.find(id);
    if (conversation.unread_count > 0) return conversation;
    return this.change(id, { marked_unread: true, unread_count: 1 });
  }

  /** @param until null: until the fan writes */
  snooze(id: string, until: string | null): Conversation {
    const { conversation } = this.find(id);
    if (conversation.snooze !== null && conversation.snooze.until === until) return conversation;
    return this.change(id, { snooze: { until } });
  }

  /** Ends a snooze, as when staff end it or its time has come. */
  wake(id: string): Conversation {
    const { conversation } = this.find(id);
    return conversation.snooze === null ? conversation : this.change(id, { snooze: null });
  }

  setStatus(id: string, status: Conversation['status']): Conversation {
    const { conversation } = this.find(id);
    const isAllowed = (conversation.status === 'active') !== (status === 'active');
    if (!isAllowed) throw new Refusal(409, 'invalid_transition');
    return this.change(id, { status });
  }

  /** Replaces the fan's library tags. */
  setTags(id: string, ids: readonly string[]): FanTag[] {
    const tags = this.library
      .filter((tag) => ids.includes(tag.id))
      .map((tag) => ({
        id: `${id}-${tag.id}`,
        label: tag.label,
        color: tag.color,
        isGlobal: true,
        globalTagId: tag.id,
      }));
    const { fan } = this.find(id).conversation;
    this.change(id, { fan: { ...fan, admin_tags: tags } });
    return tags;
  }

  private changeTags(change: (tags: FanTag[]) => FanTag[]): void {
    for (const held of this.held.values()) {
      const { conversation } = held;
      const admin_tags = change(conversation.fan.admin_tags);
      held.conversation = { ...conversation, fan: { ...conversation.fan, admin_tags } };
    }
  }

  /** Renames a library tag for every fan who has it. This doesn't raise any conversation's version. */
  renameTag(id: string): void {
    const tag = this.library.find((each) => each.id === id);
    if (!tag) return;
    const renamed = { ...tag, label: `${tag.label}${this.moments}` };
    this.moments += 1;
    this.library = this.library.map((each) => (each === tag ? renamed : each));
    this.changeTags((tags) =>
      tags.map((each) => (each.globalTagId === id ? { ...each, label: renamed.label } : each)),
    );
    this.emit({ name: 'global_tag_updated', payload: { tag: renamed } });
  }

  deleteTag(id: string): void {
    if (!this.library.some((tag) => tag.id === id)) return;
    this.library = this.library.filter((tag) => tag.id !== id);
    this.changeTags((tags) => tags.filter((tag) => tag.globalTagId !== id));
    this.emit({ name: 'global_tag_deleted', payload: { id } });
  }

  erase(id: string): void {
    this.find(id);
    this.held.delete(id);
    this.removed.add(id);
    this.emit({ name: 'conversation_removed', payload: { conversation_id: id } });
  }

  stats(adminId: string): InboxStats {
    const all = this.conversations();
    const count = (is: (conversation: Conversation) => boolean) => all.filter(is).length;
    return {
      total_conversations: all.length,
      unread_count: count((each) => each.unread_count > 0 && each.snooze === null),
      needs_reply_count: count(
        (each) => each.status === 'active' && each.waiting_since !== null && each.snooze === null,
      ),
      new_today: count((each) => each.last_seq > 0),
      mine_count: count((each) => each.claimed_by === adminId),
      unread_mentions: 0,
      open_handovers: 0,
      archived_count: count((each) => each.status === 'archived'),
    };
  }
}
