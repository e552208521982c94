import type { Conversation } from '@stagedoor/contract/inbox/conversations';

/** Where a conversation is shown: every list, search and header at once. */
export interface Board {
  /** The newest that is known of it. */
  known: (id: string) => Conversation | null;
  show: (conversation: Conversation) => void;
  /** Asks the server for it. */
  refresh: (id: string) => Promise<void>;
}
