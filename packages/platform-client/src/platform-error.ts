import type { ErrorCode } from '@stagedoor/contract/errors';

/**
 * `network`: no response. `timeout`: no response in time. `unexpected_reply`: the response came from something other than
 * Stagedoor, such as a proxy. All others are the server's codes.
 */
export type PlatformErrorCode = ErrorCode | 'network' | 'timeout' | 'unexpected_reply';

interface Details {
  readonly code: PlatformErrorCode;
  readonly status?: number;
  readonly fields?: Readonly<Record<string, string>>;
  readonly retryAfter?: number | undefined;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/** The error of a failed call. Branch on `code`; the message is for people. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly code: PlatformErrorCode;
  /** The HTTP status; null without a response. */
  readonly status: number | null;
  /** With `invalid_request`: maps a field's dotted path to its error text. */
  readonly fields: Readonly<Record<string, string>>;
  /** Seconds to wait before retrying, from the `Retry-After` header. */
  readonly retryAfter: number | null;
  /** The id of the call in the server's log. */
  readonly requestId: string | null;

  constructor(message: string, { code, status, fields, retryAfter, requestId, cause }: Details) {
    super(message, { cause });
    this.code = code;
    this.status = status ?? null;
    this.fields = fields ?? {};
    this.retryAfter = retryAfter ?? null;
    this.requestId = requestId ?? null;
  }
}
