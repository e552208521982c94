import type { Conversation, InboxFilter, InboxSort } from '@stagedoor/contract/inbox/conversations';
import type { MessageSpan, SendMessageInput } from '@stagedoor/contract/messaging/messages';
import { listPage } from './model-lists.ts';
import { ME, type ModelServer, Refusal } from './model-server.ts';

/** Messages per page: few, so that a dozen messages make several pages. */
const MESSAGES_PAGE = 4;

/** A request as the browser sends it. */
export interface Request {
  method: string;
  url: URL;
  body: unknown;
  /** The `Idempotency-Key`. */
  key: string | null;
}

export interface Answer {
  status: number;
  body: unknown;
}

const CONVERSATION = /^\/api\/messages\/admin\/conversation\/([^/]+)(?:\/(\w+))?$/;

function messagePage(server: ModelServer, id: string, query: URLSearchParams): MessageSpan {
  const { messages, conversation } = server.find(id);
  const before = query.get('before');
  const limit = Math.min(Number(query.get('limit')), MESSAGES_PAGE);
  const end =
    before === null ? messages.length : messages.findIndex((message) => message.id === before);
  if (end === -1) throw new Refusal(404, 'message_not_found');
  const start = Math.max(0, end - limit);
  return {
    data: messages.slice(start, end),
    has_more: start > 0,
    has_older: start > 0,
    has_newer: end < messages.length,
    version: conversation.version,
  };
}

/** Runs an action on a conversation, emits the change, and returns the response. */
function act(server: ModelServer, id: string, part: string, { method, body }: Request): unknown {
  const before = server.find(id).conversation.version;
  const acted: Record<string, () => unknown> = {
    claim: () => server.claim(id, ME),
    release: () => server.release(id, ME),
    unread: () => server.markUnread(id),
    snooze: () =>
      method === 'DELETE'
        ? server.wake(id)
        : server.snooze(id, (body as { until: string | null }).until),
    status: () => server.setStatus(id, (body as { status: Conversation['status'] }).status),
    tags: () =>
      server.setTags(
        id,
        (body as { tags: { globalTagId: string }[] }).tags.map(({ globalTagId }) => globalTagId),
      ),
  };
  const data = acted[part]?.();
  if (server.find(id).conversation.version > before) server.emitUpdated(id);
  return { data };
}

function route(server: ModelServer, request: Request): unknown {
  const { method, url, body, key } = request;
  const query = url.searchParams;
  if (url.pathname === '/api/messages/admin/inbox') {
    const list = {
      filter: query.get('filter') as InboxFilter,
      sort: query.get('sort') as InboxSort,
      tag: query.get('tag'),
      adminId: ME.id,
    };
    return listPage(list, server.conversations(), query.get('cursor'));
  }
  if (url.pathname === '/api/messages/admin/stats') return { data: server.stats(ME.id) };
  if (url.pathname === '/api/messages/admin/send') {
    const { conversation_id, content } = body as SendMessageInput & { content: string };
    return { data: server.write(conversation_id, ME, key, content) };
  }
  const [, id = '', part] = CONVERSATION.exec(url.pathname) ?? [];
  if (id === '') throw new Error(`the model does not serve ${method} ${url.pathname}`);
  if (part === undefined) return { data: server.find(id).conversation };
  if (part === 'messages') return messagePage(server, id, query);
  if (part === 'read') {
    const { up_to_message_id } = body as { up_to_message_id: string };
    const upTo = server.find(id).messages.find((message) => message.id === up_to_message_id);
    if (!upTo) throw new Refusal(404, 'message_not_found');
    return { data: server.read(id, upTo.seq) };
  }
  return act(server, id, part, request);
}

/** Answers a request as the API does. */
export function answerCall(server: ModelServer, request: Request): Answer {
  try {
    return { status: 200, body: structuredClone(route(server, request)) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: error.status, body: { error: error.message, code: error.code } };
  }
}
