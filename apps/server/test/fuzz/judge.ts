import type { Endpoint } from '@stagedoor/contract/endpoint';
import { type ErrorCode, ErrorReply, errorCatalogue } from '@stagedoor/contract/errors';
import * as z from 'zod/mini';
import type { Actor, FuzzRequest } from './requests.ts';
import type { FuzzReply, Target, Wire } from './send.ts';

/** Errors that any endpoint can return without declaring them. */
const IMPLIED: readonly ErrorCode[] = [
  'invalid_request',
  'not_found',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
];

/** Text that no reply may contain: a stack trace, a path of the server, SQL, a database error. */
const INSIDES =
  /(\n|\\n)\s*at .+:\d+:\d+|node_modules|apps\/server|\b(select|delete) .{1,200} from \w+ where|insert into \w+ ?\(|violates \w+[- ]\w* ?constraint|syntax error at|pg_catalog|relation "\w+"/i;

/** Returns what is wrong with a reply, or null. */
export function faultOf(
  target: Target,
  endpoint: Endpoint,
  request: FuzzRequest,
  wire: Wire,
  reply: FuzzReply,
): string | null {
  if (reply.status >= 500) return 'the server failed';
  if (INSIDES.test(reply.text)) return 'the reply shows insides of the server';
  const known = leakIn(target, request.actor, wire, reply.text);
  if (known !== null) return `the reply gives away ${known}`;
  return reply.status < 400
    ? faultOfSuccess(endpoint, request, reply)
    : faultOfRefusal(endpoint, request, reply);
}

function leakIn(target: Target, actor: Actor, wire: Wire, text: string): string | null {
  const { always, toOthers } = target.secrets();
  const staff = !['nobody', 'stranger', 'platform', 'fan', 'otherFan'].includes(actor);
  const found = [...always, ...(staff ? [] : toOthers)].find((secret) => text.includes(secret));
  // A reply may repeat what the request contained.
  return found === undefined || wire.body?.includes(found) ? null : found;
}

/** Which actors each kind of endpoint admits; the permissions of each role are tested elsewhere. */
const ADMITTED: Readonly<Record<Endpoint['auth'], (actor: Actor) => boolean>> = {
  none: () => true,
  platform: (actor) => actor === 'platform',
  fan: (actor) => actor === 'fan' || actor === 'otherFan',
  admin: (actor) => STAFF.includes(actor),
  avatar_cookie: (actor) => STAFF.includes(actor),
};
const STAFF: readonly Actor[] = ['silenced', 'support', 'moderator', 'manager', 'creator'];
const UNPRIVILEGED: Readonly<Record<string, readonly Actor[]>> = {
  can_manage_messages: ['silenced'],
  can_manage_admins: ['silenced', 'support', 'moderator'],
};

function faultOfSuccess(endpoint: Endpoint, request: FuzzRequest, reply: FuzzReply): string | null {
  // With a tail, the path may match a route outside the contract.
  if (request.pathTail !== '') return null;
  const own = request.headers.authorization === undefined && request.headers.cookie === undefined;
  if (own && !ADMITTED[endpoint.auth](request.actor)) return 'it let in a stranger';
  if (own && UNPRIVILEGED[endpoint.permission ?? '']?.includes(request.actor)) {
    return 'it let in someone without the permission';
  }
  const schema = endpoint.replies[reply.status];
  if (schema === undefined) return `a status ${reply.status} that it does not declare`;
  if (schema === null) return reply.text === '' ? null : 'a body where there is none declared';
  if (endpoint.download) return reply.type.startsWith(endpoint.download) ? null : 'no file';
  const parsed = z.safeParse(schema, json(reply.text));
  return parsed.success ? null : `not the declared body: ${z.prettifyError(parsed.error)}`;
}

function faultOfRefusal(endpoint: Endpoint, request: FuzzRequest, reply: FuzzReply): string | null {
  const parsed = ErrorReply.safeParse(json(reply.text));
  if (!parsed.success) return `no error body: ${z.prettifyError(parsed.error)}`;
  const { code } = parsed.data;
  if (errorCatalogue[code].status !== reply.status) return `${code} does not fit the status`;
  // As above, the path may match another route: `/things/` is a thing with an empty id.
  if (request.pathTail !== '') return null;
  const declared: readonly ErrorCode[] = [
    ...IMPLIED,
    ...(endpoint.errors ?? []),
    ...(endpoint.auth === 'none' ? [] : (['unauthorized'] as const)),
    ...(endpoint.auth === 'avatar_cookie' ? (['origin_refused'] as const) : []),
    ...(endpoint.permission === 'can_manage_admins' ? (['permission_required'] as const) : []),
    ...(endpoint.permission === 'can_manage_messages'
      ? (['message_privilege_required'] as const)
      : []),
  ];
  return declared.includes(code) ? null : `an error ${code} that it does not declare`;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
