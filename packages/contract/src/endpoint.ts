import type * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call: `none` anyone, `admin` a signed-in admin (bearer token), `avatar_cookie` a signed-in admin by a cookie that
 * opens nothing else, `platform` the platform (bearer key), `fan` a fan in the fan client (bearer token). No kind of credentials opens another's endpoints.
 */
export type EndpointAuth = 'none' | 'admin' | 'avatar_cookie' | 'platform' | 'fan';

/** A permission that an admin must hold beyond being signed in. */
export type Permission = 'can_manage_admins' | 'can_manage_messages';

type Schema = z.core.$ZodType;

/** What one HTTP call takes and gives. The server binds it, the web client calls it, the documentation is made from it. */
export interface Endpoint {
  readonly method: HttpMethod;
  /** With `{name}` for each path parameter. */
  readonly path: `/api/${string}`;
  /** One line for the documentation. */
  readonly summary: string;
  readonly auth: EndpointAuth;
  readonly permission?: Permission;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly headers?: Schema;
  readonly body?: Schema;
  /** The body is multipart/form-data, which the handler reads as a stream; it has no schema. */
  readonly upload?: true;
  /** The media type of a reply that is a file and not JSON; its body is text. */
  readonly download?: 'text/csv';
  /** The body of each successful status; `null` for one without a body. */
  readonly replies: { readonly [status: number]: Schema | null };
  /** The errors particular to this call; those of its auth, its shape and the server are implied. */
  readonly errors?: readonly ErrorCode[];
}

/** Declares an endpoint, keeping the exact types of its schemas. */
export const endpoint = <const E extends Endpoint>(definition: E): E => definition;

type Input<S> = S extends Schema ? z.core.input<S> : undefined;
type Output<S> = S extends Schema ? z.core.output<S> : undefined;

/** What a caller passes: only the parts that the endpoint declares. */
export type EndpointInput<E extends Endpoint> = {
  [Part in 'params' | 'query' | 'headers' | 'body' as E[Part] extends Schema ? Part : never]: Input<
    E[Part]
  >;
};

/** What a handler receives once everything has been parsed. */
export type EndpointParsed<E extends Endpoint> = {
  [Part in 'params' | 'query' | 'headers' | 'body']: Output<E[Part]>;
};

/** The body of any of the endpoint's successful replies. */
export type EndpointReply<E extends Endpoint> = Output<E['replies'][keyof E['replies'] & number]>;
