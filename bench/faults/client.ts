import type { SenderKind } from './ledger.ts';

/** What a client came to of a message: the stored message's id, or why it was given up. */
export type Outcome = { readonly id: string } | { readonly failed: unknown };

/** Whoever takes part in a run: sends, and may keep a state that must come to equal a fresh fetch. */
export interface Client {
  readonly name: string;
  readonly kind: SenderKind;
  /** Messages that it sends at a time. */
  readonly lanes: number;
  /** Milliseconds between two of a lane's messages, at most. */
  readonly pauseMs: number;
  /** Conversations that it can write in; all unless told. */
  readonly conversation?: string;
  /** Sends a message and does not rest before its outcome is known. Never rejects. */
  send(conversation: string, content: string): Promise<Outcome>;
  /** Where its state is another than what the server says when it is asked anew; empty where they agree. Asks the server. */
  differences?(stored: StoredWorld): Promise<string[]>;
  close(): void;
}

/** Everything as the server tells it at the end. */
export interface StoredWorld {
  /** By conversation, as staff see them: ascending by `seq`. */
  readonly messages: ReadonlyMap<string, readonly { readonly id: string; readonly seq: number }[]>;
}

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));
