import type { Conversation } from '@stagedoor/contract/inbox/conversations';

/** Updates a conversation in every list, search and header that shows it. */
export interface Board {
  /** Returns the newest known state of the conversation. */
  known: (id: string) => Conversation | null;
  show: (conversation: Conversation) => void;
  refresh: (id: string) => Promise<void>;
}
