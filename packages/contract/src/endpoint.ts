import type * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call an endpoint. `none`: anyone. `admin`: a signed-in admin (bearer token). `avatar_cookie`: a signed-in admin with a
 * cookie that is valid only for avatars. `platform`: the platform (bearer key). `fan`: a fan in the fan client (bearer token).
 * Credentials of one kind are never accepted for another.
 */
export type EndpointAuth = 'none' | 'admin' | 'avatar_cookie' | 'platform' | 'fan';

/** What a platform key gives access to: the platform API, or only closed pay periods. */
export type KeyScope = 'platform' | 'payroll';

/** A permission that an admin needs in addition to being signed in. */
export type Permission = 'can_manage_admins' | 'can_manage_messages';

/** The access of calls that only managers may make. */
export const managed = { auth: 'admin', permission: 'can_manage_admins' } as const;

type Schema = z.core.$ZodType;

/** The inputs and replies of one HTTP call. The server binds it, the web client calls it, and the docs are generated from it. */
export interface Endpoint {
  readonly method: HttpMethod;
  /** Contains `{name}` for each path parameter. */
  readonly path: `/api/${string}`;
  /** One line for the documentation. */
  readonly summary: string;
  readonly auth: EndpointAuth;
  readonly permission?: Permission;
  /** With `auth: 'platform'`: the scope that the key must have. Default: `platform`. */
  readonly scope?: KeyScope;
  /**
   * False for a staff call that only reads, or changes only the caller's own data. Any other non-GET call counts as work, which
   * is refused outside a shift if the team requires shifts.
   */
  readonly isWork?: false;
  /**
   * Whether the call keeps the caller's time clock running: it changes a fan or conversation in a way that the team sees, accepts a
   * handover or starts a campaign.
   */
  readonly isAct?: true;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly headers?: Schema;
  readonly body?: Schema;
  /** Set when the body is multipart/form-data. The handler reads it as a stream, so it has no schema. */
  readonly upload?: true;
  /** The media type of a reply that is a text file instead of JSON. */
  readonly download?: 'text/csv';
  /** The body for each successful status; `null` for an empty body. */
  readonly replies: { readonly [status: number]: Schema | null };
  /** Errors specific to this call, besides those that its `auth`, `permission`, input and the server imply. */
  readonly errors?: readonly ErrorCode[];
}

/** Returns a function that declares an endpoint with this method and keeps the exact types of its schemas. */
const declaring =
  <const M extends HttpMethod>(method: M) =>
  <const P extends Endpoint['path'], const D extends Omit<Endpoint, 'method' | 'path'>>(
    path: P,
    definition: D,
  ) => ({ ...definition, method, path });

export const get = declaring('GET');
export const post = declaring('POST');
export const put = declaring('PUT');
export const patch = declaring('PATCH');
export const del = declaring('DELETE');

type Input<S> = S extends Schema ? z.core.input<S> : undefined;
type Output<S> = S extends Schema ? z.core.output<S> : undefined;

/** The input that a caller passes, limited to the parts that the endpoint declares. */
export type EndpointInput<E extends Endpoint> = {
  [Part in 'params' | 'query' | 'headers' | 'body' as E[Part] extends Schema ? Part : never]: Input<
    E[Part]
  >;
};

/** The parsed input that a handler receives. */
export type EndpointParsed<E extends Endpoint> = {
  [Part in 'params' | 'query' | 'headers' | 'body']: Output<E[Part]>;
};

/** The body of any of the endpoint's successful replies. */
export type EndpointReply<E extends Endpoint> = Output<E['replies'][keyof E['replies'] & number]>;
