/** The outcome of a send: the id of the stored message, or the reason why the client gave up. */
export type Outcome = { readonly id: string } | { readonly failed: unknown };

/** A participant in a run, which sends messages. At the end, any state that it has cached must equal freshly fetched data. */
export interface Client {
  readonly name: string;
  /** A console tab, a scripted staff member, the platform on behalf of a fan, or a fan tab. */
  readonly kind: 'console' | 'staff' | 'platform' | 'fan';
  /** How many messages it sends at once. */
  readonly senders: number;
  /** The maximum pause between two messages of one sender. Milliseconds. */
  readonly pauseMs: number;
  /** The only conversation that it can write in; all conversations by default. */
  readonly conversation?: string;
  /** Sends a message and waits until its outcome is known. Never rejects. */
  send(conversation: string, content: string): Promise<Outcome>;
  /** Compares its state with fresh data from the server. @returns a line for each difference */
  differences?(stored: StoredWorld): Promise<string[]>;
  close(): void;
}

/** The state that the server returns at the end. */
export interface StoredWorld {
  /** Messages by conversation, as staff see them, ascending by `seq`. */
  readonly messages: ReadonlyMap<string, readonly { readonly id: string; readonly seq: number }[]>;
}
