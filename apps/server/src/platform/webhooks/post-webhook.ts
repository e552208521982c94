import type { Try } from './queues.store.ts';
import type { Sign } from './signature.ts';

/** The maximum number of characters of an answer that are stored. */
const ANSWER_CHARS = 500;
/** The maximum number of bytes read for these characters. */
const ANSWER_BYTES = 4 * ANSWER_CHARS;
/** How long to wait for the body after the status has arrived. Only the status decides the outcome. Milliseconds. */
const ANSWER_MS = 1_000;

/** The receiver of deliveries, and how to sign them. */
export interface Receiver {
  /** The URL from the settings; its user and password become an Authorization header. */
  readonly url: string;
  readonly sign: Sign;
  /** How long a try waits for an answer. Milliseconds. */
  readonly timeoutMs: number;
}

/** A delivery to send. */
export interface Envelope {
  /** The `webhook-id`. */
  readonly id: string;
  readonly body: string;
}

/** Returns an address without its user and password, for display. */
export function withoutCredentials(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
}

/**
 * Posts an event. Any 2xx is success; redirects are not followed.
 * @param stop aborts the try, which then fails
 */
export async function postWebhook(
  { url, sign, timeoutMs }: Receiver,
  { id, body }: Envelope,
  stop: AbortSignal,
): Promise<Try> {
  const started = performance.now();
  const tried = (status: number | null, answer: string): Try => ({
    durationMs: Math.round(performance.now() - started),
    status,
    answer,
    succeeded: status !== null && status >= 200 && status < 300,
  });
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const at = new Date();
    const response = await fetch(withoutCredentials(url), {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.any([late, stop]),
      headers: {
        ...authorization(url),
        'content-type': 'application/json',
        'user-agent': 'Stagedoor-Webhooks/1',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': sign(id, at, body),
      },
      body,
    });
    return tried(response.status, await beginningOf(response));
  } catch (error) {
    if (late.aborted) return tried(null, `No response within ${timeoutMs / 1000} seconds`);
    return tried(null, readable(reasonOf(error)));
  }
}

/** Reads the beginning of an answer's body, as far as it arrives in time. */
async function beginningOf(response: Response): Promise<string> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  // Ends the loop below, whatever the receiver does.
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), ANSWER_MS);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    while (bytes < ANSWER_BYTES) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      bytes += value.length;
    }
  } catch {
    // The connection broke after the status had arrived, and only the status decides the outcome.
  } finally {
    clearTimeout(timer);
    void reader.cancel().catch(() => undefined);
  }
  return readable(Buffer.concat(chunks).subarray(0, ANSWER_BYTES).toString('utf8'));
}

/** Removes control characters, some of which the database can't store. */
const readable = (text: string): string =>
  text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, ANSWER_CHARS)
    // Drop half of a surrogate pair.
    .replace(/[\uD800-\uDBFF]$/, '');

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return 'The request failed';
  return cause.message || ('code' in cause ? String(cause.code) : cause.name);
}

function authorization(address: string): { authorization?: string } {
  const { username, password } = new URL(address);
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}
