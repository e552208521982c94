import type { ErrorCode } from '@stagedoor/contract/errors';

/**
 * `network`: no answer came. `timeout`: none came in time. `unexpected_reply`: the answer was none of Stagedoor's, as a proxy's
 * is. All others are the server's own codes.
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

/** A call that did not succeed. Branch on `code`; the message is for people. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly code: PlatformErrorCode;
  /** The HTTP status; null where there was no answer. */
  readonly status: number | null;
  /** With `invalid_request`: a field's dotted path to what is wrong with it. */
  readonly fields: Readonly<Record<string, string>>;
  /** Seconds after which the server takes the call again, where it said so. */
  readonly retryAfter: number | null;
  /** By which the server's log names the call. */
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
