import type { Readable } from 'node:stream';
import type {
  Endpoint,
  EndpointAuth,
  EndpointParsed,
  KeyScope,
  Permission,
} from '@stagedoor/contract/endpoint';
import { type ErrorCode, ErrorReply, errorCatalogue } from '@stagedoor/contract/errors';
import type { SignedInAdmin } from '@stagedoor/contract/team/auth';
import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify';
import * as z from 'zod/mini';
import * as errors from '../errors.ts';
import { type Language, preferredLanguage } from '../texts.ts';
import { discardRest, openUpload, type Upload } from './multipart.ts';
import { isSameOrigin } from './origin.ts';
import type { PerNode } from './shared-limits.ts';

/** The admin who makes a call, just loaded by the session check. */
export interface AdminActor {
  readonly sessionId: string;
  /** Whether the admin can only read now: they may work only during their shifts, and are not on one. */
  readonly isOffShift: boolean;
  readonly admin: Readonly<SignedInAdmin>;
}

/** The fan behind a call from the fan client. All access is scoped to them. */
export interface FanActor {
  readonly sessionId: string;
  readonly fan: {
    readonly id: string;
    /** The platform's own id for the fan. */
    readonly external_id: string;
    readonly conversation_id: string;
    readonly creator_id: string;
  };
}

declare const held: unique symbol;
/** An admin whose permission has been checked: services require this type instead of checking again. */
export type AdminWith<P extends Permission> = AdminActor & { readonly [held]: P };

export type Manager = AdminWith<'can_manage_admins'>;
export type Writer = AdminWith<'can_manage_messages'>;

/**
 * Narrows an admin to one who holds the permission.
 * @throws AppError 403 `permission_required` or `message_privilege_required`
 */
export function requirePermission<P extends Permission>(
  actor: AdminActor,
  permission: P,
): AdminWith<P> {
  if (actor.admin.permissions[permission]) return actor as AdminWith<P>;
  throw permission === 'can_manage_messages'
    ? errors.messagePrivilegeRequired()
    : errors.permissionRequired();
}

/** @throws AppError 403 `off_shift` if the admin can only read now */
export function requireOnShift({ isOffShift }: AdminActor): void {
  if (isOffShift) throw errors.offShift();
}

type ActorOf<E extends Endpoint> = E['auth'] extends 'admin' | 'avatar_cookie'
  ? E['permission'] extends Permission
    ? AdminWith<E['permission']>
    : AdminActor
  : E['auth'] extends 'fan'
    ? FanActor
    : null;

type ReplyOf<E extends Endpoint> = {
  [S in keyof E['replies'] & number]: {
    readonly status: S;
    readonly body:
      | (E['replies'][S] extends z.core.$ZodType ? z.core.input<E['replies'][S]> : null)
      // A large file is sent as it is read.
      | (E['download'] extends string ? Readable : never);
    readonly cookies?: readonly string[];
  };
}[keyof E['replies'] & number];

/** Builds a successful reply. @param cookies the values of its Set-Cookie headers */
export const reply = <const S extends number, const B>(
  status: S,
  body: B,
  cookies?: readonly string[],
) => ({
  status,
  body,
  ...(cookies !== undefined && { cookies }),
});

/** The input that only the handler of an upload gets. */
type PartsOf<E extends Endpoint> = E['upload'] extends true ? { readonly parts: Upload } : unknown;

export type Handler<E extends Endpoint> = (
  input: EndpointParsed<E> &
    PartsOf<E> & {
      readonly actor: ActorOf<E>;
      readonly userAgent: string | null;
      /** The language that the client asks for, if it is one of ours. */
      readonly language: Language | null;
      /** The request's Host, and the Origin that the browser sent. */
      readonly address: { readonly host: string; readonly origin: string | null };
    },
) => Promise<ReplyOf<E>>;

interface RouteLimits {
  readonly perAddress?: CallLimit;
  /** Calls allowed per fan, across all their sessions; {@link FAN_LIMIT} by default. */
  readonly perFan?: CallLimit;
  /** Maximum size of the request body in bytes, if it differs from other endpoints'. */
  readonly bodyLimit?: number;
}

export interface CallLimit {
  readonly max: number;
  /** Milliseconds. */
  readonly timeWindow: number;
}

/**
 * Calls of one endpoint allowed per staff session or per fan: far more than our clients make, but a limit for runaway programs.
 * The platform has no limit, because it imports all its fans at once.
 */
const STAFF_LIMIT: CallLimit & PerNode = { max: 2_000, timeWindow: 1_000, isPerNode: true };
const FAN_LIMIT: CallLimit & PerNode = { max: 300, timeWindow: 60_000, isPerNode: true };

/** Turns credentials into actors. */
export interface Authenticators {
  /** Returns the admin of a live session, or null. */
  admin(token: string): Promise<AdminActor | null>;
  /** Returns the admin of the live session in a Cookie header's avatar cookie, or null. */
  avatarCookie(header: string): Promise<AdminActor | null>;
  /** Checks whether this is a valid platform key of the scope. */
  platform(key: string, scope: KeyScope): Promise<boolean>;
  /** Returns the fan of a live fan-client session, or null. */
  fan(token: string): Promise<FanActor | null>;
  /** Counts a failed credential from a client address. @returns the error to throw */
  failed(address: string): Promise<errors.AppError>;
  /** Records an admin's confirmed act, which keeps their work clock running. */
  acted(adminId: string): void;
  /** Called after each write by an admin, before the reply: the write may have changed permissions. */
  changed(): void;
  /** The console's origin, if configured: requests that a cookie authenticates must come from there. */
  readonly publicOrigin: string | null;
}

/** Binds endpoints to handlers. Each call is authenticated, parsed, authorized, handled, and presented. */
export interface Router {
  bind<E extends Endpoint>(endpoint: E, handler: Handler<E>): void;
  /** Returns a router that binds endpoints with separate limits. */
  limited(limits: RouteLimits): Pick<Router, 'bind'>;
  readonly bound: ReadonlySet<Endpoint>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is multipart, and the handler reads it without the usual time limit. */
    upload?: true;
  }
}

const admins = new WeakMap<FastifyRequest, AdminActor>();
const fans = new WeakMap<FastifyRequest, FanActor>();

export function createRouter(app: FastifyInstance, authenticators: Authenticators): Router {
  const bound = new Set<Endpoint>();
  function bind<E extends Endpoint>(endpoint: E, handler: Handler<E>, limits: RouteLimits): void {
    if (bound.has(endpoint))
      throw new Error(`${endpoint.method} ${endpoint.path} is registered twice`);
    bound.add(endpoint);
    const isPlatform = endpoint.auth === 'platform';
    app.route({
      method: endpoint.method,
      url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      schema: schemaOf(endpoint),
      config: {
        ...limitOf(endpoint, limits),
        ...(endpoint.upload && { upload: true }),
      },
      ...(limits.bodyLimit && { bodyLimit: limits.bodyLimit }),
      // Runs before the body is read: a stranger's upload is rejected at its first byte.
      onRequest: (request) => authenticate(request, endpoint, authenticators),
      // Also before the body is read, but after the rate limit has counted the call.
      ...(isWork(endpoint) && {
        preParsing: async (request, _response, payload) => {
          const admin = admins.get(request);
          if (admin) requireOnShift(admin);
          return payload;
        },
      }),
      ...(endpoint.upload && { onResponse: async (request) => discardRest(request.raw) }),
      handler: async (request, response) => {
        const admin = admins.get(request) ?? null;
        if (endpoint.permission && admin) requirePermission(admin, endpoint.permission);
        // A schema would make the documentation show a body.
        const hasNoBody = isPlatform && !endpoint.body && !endpoint.upload;
        const [extra] = hasNoBody ? Object.keys(request.body ?? {}) : [];
        if (extra !== undefined)
          throw errors.invalidRequest({ '': `Unrecognized key: "${extra}"` });
        // The schemas above have parsed these parts; their types follow from the endpoint.
        const input = {
          params: request.params,
          query: request.query,
          headers: request.headers,
          body: request.body,
          actor: admin ?? fans.get(request) ?? null,
          userAgent: request.headers['user-agent'] ?? null,
          get language() {
            return preferredLanguage(request.headers['accept-language']);
          },
          address: { host: request.host, origin: request.headers.origin ?? null },
          ...(endpoint.upload && { parts: openUpload(request.raw, response.raw) }),
        } as Parameters<Handler<E>>[0];
        const result = await handler(input);
        if (admin && endpoint.isAct) authenticators.acted(admin.admin.id);
        if (admin && endpoint.method !== 'GET') authenticators.changed();
        for (const cookie of result.cookies ?? []) response.header('set-cookie', cookie);
        response.status(result.status);
        if (endpoint.download) {
          response.type(`${endpoint.download}; charset=utf-8`);
          response.header('content-disposition', 'attachment');
        }
        return result.body === null ? response.send() : response.send(result.body);
      },
    });
  }
  return {
    bound,
    bind: (endpoint, handler) => bind(endpoint, handler, {}),
    limited: (limits) => ({ bind: (endpoint, handler) => bind(endpoint, handler, limits) }),
  };
}

const isWork = (endpoint: Endpoint): boolean =>
  endpoint.method !== 'GET' && endpoint.isWork !== false;

/** Returns the route's rate limit. Limits are counted after authentication, so they can be keyed by session or fan. */
function limitOf({ auth }: Endpoint, { perAddress, perFan = FAN_LIMIT }: RouteLimits) {
  if (perAddress) return { rateLimit: perAddress };
  if (auth === 'fan') return { rateLimit: { ...perFan, keyGenerator: fanBehind } };
  if (auth === 'platform' || auth === 'none') return {};
  return { rateLimit: { ...STAFF_LIMIT, keyGenerator: sessionBehind } };
}

const fanBehind = (request: FastifyRequest): string => fans.get(request)?.fan.id ?? request.ip;
const sessionBehind = (request: FastifyRequest): string =>
  admins.get(request)?.sessionId ?? request.ip;

async function authenticate(
  request: FastifyRequest,
  { auth, scope = 'platform' }: Endpoint,
  authenticators: Authenticators,
): Promise<void> {
  if (auth === 'none') return;
  if (auth === 'avatar_cookie') {
    if (!isSameOrigin(request.headers, authenticators.publicOrigin)) throw errors.originRefused();
    const { cookie } = request.headers;
    if (cookie === undefined) throw errors.unauthorized();
    const actor = await authenticators.avatarCookie(cookie);
    if (actor === null) throw await authenticators.failed(request.ip);
    admins.set(request, actor);
    return;
  }
  const credential = bearer(request.headers.authorization);
  if (credential === null) throw errors.unauthorized();
  if (auth === 'platform') {
    if (!(await authenticators.platform(credential, scope)))
      throw await authenticators.failed(request.ip);
    return;
  }
  if (auth === 'fan') {
    const actor = await authenticators.fan(credential);
    if (actor === null) throw await authenticators.failed(request.ip);
    fans.set(request, actor);
    return;
  }
  const actor = await authenticators.admin(credential);
  if (actor === null) throw await authenticators.failed(request.ip);
  admins.set(request, actor);
}

export function bearer(header: string | undefined): string | null {
  return /^Bearer +([^\s]+)$/i.exec(header ?? '')?.[1] ?? null;
}

const TAGS: Record<EndpointAuth, string> = {
  none: 'Sign-in',
  admin: 'Staff',
  avatar_cookie: 'Staff',
  platform: 'Platform',
  fan: 'Fan client',
};

function schemaOf(endpoint: Endpoint): FastifySchema {
  const { query = endpoint.auth === 'platform' && z.strictObject({}) } = endpoint;
  return {
    summary: endpoint.summary,
    tags: [TAGS[endpoint.auth]],
    ...(endpoint.auth !== 'none' && { security: [{ [endpoint.auth]: [] }] }),
    ...(endpoint.params && { params: endpoint.params }),
    ...(query && { querystring: query }),
    ...(endpoint.headers && { headers: endpoint.headers }),
    ...(endpoint.body && { body: endpoint.body }),
    response: {
      ...Object.fromEntries(
        Object.entries(endpoint.replies).map(([status, body]) => [
          status,
          endpoint.download
            ? { content: { [endpoint.download]: { schema: body } } }
            : (body ?? z.null()),
        ]),
      ),
      ...Object.fromEntries(errorStatuses(endpoint).map((status) => [status, ErrorReply])),
    },
  };
}

/** Returns an endpoint's error statuses: those that it declares, and those that its auth and input imply. */
function errorStatuses(endpoint: Endpoint): number[] {
  const codes: ErrorCode[] = [
    'internal_error',
    'unavailable',
    ...(endpoint.auth === 'platform' ||
    endpoint.params ||
    endpoint.query ||
    endpoint.body ||
    endpoint.upload
      ? (['invalid_request'] as const)
      : []),
    ...(endpoint.body || endpoint.upload
      ? (['payload_too_large', 'unsupported_media_type'] as const)
      : []),
    ...(endpoint.auth === 'none' ? [] : (['unauthorized', 'rate_limited'] as const)),
    ...(endpoint.auth === 'avatar_cookie' ? (['origin_refused'] as const) : []),
    ...(endpoint.permission ? (['permission_required'] as const) : []),
    ...(endpoint.auth === 'admin' && isWork(endpoint) ? (['off_shift'] as const) : []),
    ...(endpoint.errors ?? []),
  ];
  return [...new Set(codes.map((code) => errorCatalogue[code].status))];
}
