/** A message that the server confirmed to its sender. */
interface Confirmed {
  readonly id: string;
  readonly conversation: string;
  readonly by: 'fan' | 'staff';
  /** Send time, in milliseconds from `performance.now`. */
  readonly sentAt: number;
}

/** A socket that should receive messages. Staff receive all messages, a fan only those in their own conversation. */
export interface Watcher {
  readonly kind: 'fan' | 'staff';
  /** The fan's conversation; null for staff. */
  readonly conversation: string | null;
  /** Start of the current connection, in milliseconds from `performance.now`. */
  since: number;
  /** When each message first arrived, by message id. */
  readonly arrivals: Map<string, number>;
  /** The highest `seq` received, by conversation. */
  readonly lastSeq: Map<string, number>;
}

/** Records who sent and received which message and when, to find lost, repeated and out-of-order events. */
export class Ledger {
  sent = 0;
  failed = 0;
  /**
   * The number of duplicate events that sockets received. A server that has fallen behind re-emits events that clients may have
   * missed, and clients drop duplicates by message id.
   */
  repeated = 0;
  /** Events that arrived after an event with a higher `seq` in the same conversation. */
  outOfOrder = 0;
  /** How many times sockets reconnected. */
  reconnects = 0;
  readonly confirmed = new Map<string, Confirmed>();
  readonly watchers: Watcher[] = [];
  /** Latencies in milliseconds. */
  readonly fanConfirm: number[] = [];
  readonly staffConfirm: number[] = [];
  readonly purchaseToUnlocked: number[] = [];
  /** How often each error occurred, by its text. */
  readonly errors = new Map<string, number>();

  watch(kind: Watcher['kind'], conversation: string | null): Watcher {
    const since = performance.now();
    const watcher = { kind, conversation, since, arrivals: new Map(), lastSeq: new Map() };
    this.watchers.push(watcher);
    return watcher;
  }

  confirm(message: { id: string; conversation_id: string }, by: 'fan' | 'staff', sentAt: number) {
    const { id, conversation_id: conversation } = message;
    this.confirmed.set(id, { id, conversation, by, sentAt });
    (by === 'fan' ? this.fanConfirm : this.staffConfirm).push(performance.now() - sentAt);
  }

  arrive(watcher: Watcher, message: { id: string; conversation_id: string; seq: number }): void {
    if (watcher.arrivals.has(message.id)) {
      this.repeated++;
      return;
    }
    watcher.arrivals.set(message.id, performance.now());
    const last = watcher.lastSeq.get(message.conversation_id) ?? 0;
    if (message.seq <= last) this.outOfOrder++;
    else watcher.lastSeq.set(message.conversation_id, message.seq);
  }

  /** Records a reconnect. Events for messages sent before it are no longer expected, because clients fetch missed messages. */
  interrupted(watcher: Watcher): void {
    watcher.since = performance.now();
    this.reconnects++;
  }

  error(what: unknown): void {
    const text = reasonOf(what).replaceAll(IDS, '…');
    this.errors.set(text, (this.errors.get(text) ?? 0) + 1);
  }

  /** Compares the events that each socket should have received with those that arrived, and times the deliveries. */
  deliveries() {
    const times = {
      fanToStaff: [] as number[],
      fanToOwnSocket: [] as number[],
      staffToFan: [] as number[],
      staffToTeammates: [] as number[],
    };
    let expected = 0;
    let missing = 0;
    const all = [...this.confirmed.values()];
    const byConversation = new Map<string, Confirmed[]>();
    for (const message of all) {
      const others = byConversation.get(message.conversation);
      if (others === undefined) byConversation.set(message.conversation, [message]);
      else others.push(message);
    }
    for (const watcher of this.watchers) {
      const { conversation } = watcher;
      const sent = conversation === null ? all : (byConversation.get(conversation) ?? []);
      for (const message of sent) {
        if (message.sentAt < watcher.since) continue;
        expected++;
        const at = watcher.arrivals.get(message.id);
        if (at === undefined) missing++;
        else timesOf(times, message, watcher).push(at - message.sentAt);
      }
    }
    return { expected, missing, times };
  }
}

/** Ids, removed from error texts so that equal errors are counted together. */
const IDS = /[0-9a-f]{8}-[0-9a-f-]{27}|demo-\w+-\d+/g;

/** Includes the cause, because `fetch` only reports "fetch failed". */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function timesOf(
  times: ReturnType<Ledger['deliveries']>['times'],
  message: Confirmed,
  watcher: Watcher,
): number[] {
  if (message.by === 'fan') {
    return watcher.kind === 'staff' ? times.fanToStaff : times.fanToOwnSocket;
  }
  return watcher.kind === 'staff' ? times.staffToTeammates : times.staffToFan;
}
