/** Milliseconds of one kind of wait, as they came. */
export class Times {
  readonly all: number[] = [];
  add(milliseconds: number): void {
    this.all.push(milliseconds);
  }
}

/** A message that its sender knows to be stored. */
interface Confirmed {
  readonly id: string;
  readonly conversation: string;
  readonly by: 'fan' | 'staff';
  /** When it was sent. Milliseconds, as `performance.now` counts them. */
  readonly sentAt: number;
}

/** A socket that is to be told of messages: of staff's all, of a fan's those of the fan's conversation. */
export interface Watcher {
  readonly kind: 'fan' | 'staff';
  /** The fan's; null for staff. */
  readonly conversation: string | null;
  /** Since when it has listened without a gap. */
  since: number;
  /** When each message came first, by its id. */
  readonly arrivals: Map<string, number>;
  /** The highest `seq` that came, by conversation. */
  readonly lastSeq: Map<string, number>;
}

/** Who sent what, who was told of it and when; from which follows what was lost, doubled or out of order. */
export class Ledger {
  sent = 0;
  failed = 0;
  /**
   * Live events that came again to one socket, which every client drops by the message's id: a server that is behind tells
   * twice what it may not have told. And those that came after a later one of their conversation.
   */
  repeated = 0;
  outOfOrder = 0;
  /** Times that a socket had to connect again. */
  reconnects = 0;
  readonly confirmed = new Map<string, Confirmed>();
  readonly watchers: Watcher[] = [];
  readonly fanConfirm = new Times();
  readonly staffConfirm = new Times();
  readonly purchaseToUnlocked = new Times();
  /** What went wrong, by its text, and how often. */
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
    (by === 'fan' ? this.fanConfirm : this.staffConfirm).add(performance.now() - sentAt);
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

  /** A socket was away: what was sent before it came back it fetches, as every client does. */
  interrupted(watcher: Watcher): void {
    watcher.since = performance.now();
    this.reconnects++;
  }

  error(what: unknown): void {
    const text = reasonOf(what).replaceAll(IDS, '…');
    this.errors.set(text, (this.errors.get(text) ?? 0) + 1);
  }

  /** Everything that each socket was to be told: what came after how long, and what did not come. */
  deliveries() {
    const times = {
      fanToStaff: new Times(),
      fanToOwnSocket: new Times(),
      staffToFan: new Times(),
      staffToColleagues: new Times(),
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
      const told = conversation === null ? all : (byConversation.get(conversation) ?? []);
      for (const message of told) {
        if (message.sentAt < watcher.since) continue;
        expected++;
        const at = watcher.arrivals.get(message.id);
        if (at === undefined) missing++;
        else timesOf(times, message, watcher).add(at - message.sentAt);
      }
    }
    return { expected, missing, times };
  }
}

/** What tells one call of a kind from another. */
const IDS = /[0-9a-f]{8}-[0-9a-f-]{27}|demo-\w+-\d+/g;

/** Fetch says "fetch failed", and what failed in its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function timesOf(
  times: ReturnType<Ledger['deliveries']>['times'],
  message: Confirmed,
  watcher: Watcher,
): Times {
  if (message.by === 'fan') {
    return watcher.kind === 'staff' ? times.fanToStaff : times.fanToOwnSocket;
  }
  return watcher.kind === 'staff' ? times.staffToColleagues : times.staffToFan;
}
