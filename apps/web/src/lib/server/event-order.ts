/** How long an out-of-order event waits for the missing events before it. Milliseconds. */
const GAP_WAIT_MS = 250;

interface Stream<E> {
  delivered: number;
  /**
   * The events that are held back, by version. Several events can have the same version, because an event that is emitted late
   * can already include a newer change.
   */
  held: Map<number, E[]>;
  cancelWait: (() => void) | null;
}

/** The options of an event order: how to deliver events, and which versions are cached. */
export interface EventOrderOptions<E> {
  /** The version up to which the cached data of a stream is complete; undefined if nothing is cached. */
  cachedVersion: (stream: string) => number | undefined;
  deliver: (event: E) => void;
  /** Called when missing versions did not arrive in time: the stream's cached data must be refetched. */
  onGap: (stream: string) => void;
  schedule?: (callback: () => void, ms: number) => () => void;
}

/** Delivers the numbered events of many streams in order. Old and duplicate events are passed on at once. */
export interface EventOrder<E> {
  accept: (stream: string, version: number, event: E) => void;
  /** The highest version delivered for a stream; 0 before the first. */
  latest: (stream: string) => number;
  /** Resets everything and drops the events held back. */
  clear: () => void;
}

function afterMs(callback: () => void, ms: number): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}

export function createEventOrder<E>(options: EventOrderOptions<E>): EventOrder<E> {
  const { cachedVersion, deliver, onGap, schedule = afterMs } = options;
  const streams = new Map<string, Stream<E>>();

  function streamOf(name: string): Stream<E> {
    const known = streams.get(name);
    if (known) return known;
    const stream: Stream<E> = { delivered: 0, held: new Map(), cancelWait: null };
    streams.set(name, stream);
    return stream;
  }

  function pass(stream: Stream<E>, version: number, event: E): void {
    stream.delivered = Math.max(stream.delivered, version);
    deliver(event);
  }

  function drain(stream: Stream<E>): void {
    let version = stream.delivered + 1;
    for (let next = stream.held.get(version); next; next = stream.held.get(version)) {
      stream.held.delete(version);
      for (const event of next) pass(stream, version, event);
      version = stream.delivered + 1;
    }
    if (stream.held.size === 0) {
      stream.cancelWait?.();
      stream.cancelWait = null;
    }
  }

  function giveUpWaiting(name: string, stream: Stream<E>): void {
    stream.cancelWait = null;
    const held = [...stream.held].sort(([a], [b]) => a - b);
    stream.held.clear();
    for (const [version, events] of held) for (const event of events) pass(stream, version, event);
    onGap(name);
  }

  return {
    accept(name, version, event) {
      const stream = streamOf(name);
      const complete = Math.max(stream.delivered, cachedVersion(name) ?? version - 1);
      if (version <= complete + 1) {
        pass(stream, version, event);
        drain(stream);
        return;
      }
      stream.held.set(version, [...(stream.held.get(version) ?? []), event]);
      stream.cancelWait ??= schedule(() => giveUpWaiting(name, stream), GAP_WAIT_MS);
    },
    latest: (name) => streams.get(name)?.delivered ?? 0,
    clear() {
      for (const stream of streams.values()) stream.cancelWait?.();
      streams.clear();
    },
  };
}
