import type { Try } from './lanes.store.ts';
import type { Sign } from './signature.ts';

/** Characters of an answer that are kept. */
const ANSWER_CHARS = 500;
/** Bytes of an answer that are read for them. */
const ANSWER_BYTES = 4 * ANSWER_CHARS;
/** The status has come and is all that counts: its body is waited for no longer than this. Milliseconds. */
const ANSWER_MS = 1_000;

/** Where deliveries go, and how they are signed. */
export interface Receiver {
  /** As it was set; a user and a password in it become an Authorization header. */
  readonly url: string;
  readonly sign: Sign;
  /** Milliseconds until a try that has no answer has failed. */
  readonly timeoutMs: number;
}

/** What is sent. */
export interface Envelope {
  /** The `webhook-id`. */
  readonly id: string;
  readonly body: string;
}

/** An address as people may see it. */
export function withoutCredentials(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
}

/**
 * Posts an event. Any 2xx is success; redirects are not followed.
 * @param stop ends the try early; it then has failed
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

/** The beginning of an answer's body, as far as it comes soon. */
async function beginningOf(response: Response): Promise<string> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  // Ends the reading below, whatever the other side does.
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
    // It broke off after its status, which is what counts.
  } finally {
    clearTimeout(timer);
    void reader.cancel().catch(() => undefined);
  }
  return readable(Buffer.concat(chunks).subarray(0, ANSWER_BYTES).toString('utf8'));
}

/** Without control characters, some of which the database can't store. */
const readable = (text: string): string =>
  text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, ANSWER_CHARS)
    // Not half a character.
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
