import type { Socket } from 'node:net';

/** The maximum number of bytes that a pipe buffers before it applies backpressure, as a full network does. */
const HELD_MAX = 1024 * 1024;
/** How many slices per second a slow pipe sends, so that data trickles. */
const SLICES = 20;

/** The speed of a connection. */
export interface Speed {
  /** The delay in milliseconds. */
  readonly latency?: number;
  /** Maximum of the random delay that is added to the latency, in milliseconds. The data stays in order. */
  readonly jitter?: number;
  readonly bytesPerSecond?: number;
}

/** The fate of a chunk: the bytes that pass, and whether the connection is then reset. */
export interface Verdict {
  readonly pass: number;
  readonly reset: boolean;
}

interface Rules {
  readonly speed: () => Speed;
  /** Returns a number from 0 to below 1. */
  readonly random: () => number;
  readonly judge: (chunk: Buffer) => Verdict;
  readonly passed: (bytes: number) => void;
  /** Whether to pass one end's FIN on to the other. */
  readonly forwardsEnd: () => boolean;
  readonly reset: () => void;
}

/** Opens one direction of a connection, which forwards data later, slower, in part, or not at all. */
export function openPipe(from: Socket, to: Socket, rules: Rules): void {
  /** In order; null is the end of the stream. */
  const waiting: { bytes: Buffer | null; at: number }[] = [];
  let held = 0;
  let last = 0;
  let timer: NodeJS.Timeout | undefined;

  const flush = () => {
    clearTimeout(timer);
    for (let next = waiting[0]; next && next.at <= performance.now(); next = waiting[0]) {
      waiting.shift();
      if (next.bytes === null) {
        to.end();
        continue;
      }
      held -= next.bytes.length;
      rules.passed(next.bytes.length);
      if (to.writable) to.write(next.bytes);
    }
    const [next] = waiting;
    if (next) timer = setTimeout(flush, Math.max(0, next.at - performance.now()));
    if (held + to.writableLength < HELD_MAX) from.resume();
    else from.pause();
  };

  function enqueue(bytes: Buffer | null): void {
    const { latency = 0, jitter = 0, bytesPerSecond = Number.POSITIVE_INFINITY } = rules.speed();
    const arrival = performance.now() + latency + jitter * rules.random();
    const slice = Math.max(1, Math.ceil(Math.min(bytesPerSecond / SLICES, HELD_MAX)));
    last = Math.max(arrival, last);
    if (bytes === null) waiting.push({ bytes, at: last });
    for (let start = 0; bytes !== null && start < bytes.length; start += slice) {
      const part = bytes.subarray(start, start + slice);
      last += (part.length / bytesPerSecond) * 1000;
      held += part.length;
      waiting.push({ bytes: part, at: last });
    }
  }

  from.on('data', (chunk: Buffer) => {
    const { pass, reset } = rules.judge(chunk);
    if (pass > 0) enqueue(chunk.subarray(0, pass));
    flush();
    if (reset) rules.reset();
  });
  from.on('end', () => {
    if (!rules.forwardsEnd()) return;
    enqueue(null);
    flush();
  });
  to.on('drain', flush);
  to.on('close', () => clearTimeout(timer));
}
