import {
  listMessages,
  MESSAGE_PAGE_MAX,
  type Message,
} from '@stagedoor/contract/messaging/messages';
import { call } from '../../lib/server/api.ts';
import { whenAllowed } from '../../lib/server/when-allowed.ts';

/** The maximum number of messages to print. Only the newest are printed. */
export const PRINTED_MAX = 2_000;

/** The printed part of a conversation. */
export interface PrintedMessages {
  /** Oldest first. */
  messages: readonly Message[];
  /** Whether older messages are left out. */
  isCut: boolean;
}

/**
 * Loads a conversation from its end, up to {@link PRINTED_MAX} messages, and reports their number after each page.
 * @throws ApiError, or the signal's reason
 */
export async function loadForPrint(
  id: string,
  onProgress: (count: number) => void,
  signal: AbortSignal,
): Promise<PrintedMessages> {
  let messages: readonly Message[] = [];
  let hasMore = true;
  while (hasMore && messages.length < PRINTED_MAX) {
    const [first] = messages;
    const query = { limit: MESSAGE_PAGE_MAX, ...(first && { before: first.id }) };
    const page = await whenAllowed(
      () => call(listMessages, { params: { id }, query, signal }),
      signal,
    );
    messages = [...page.data, ...messages];
    hasMore = page.has_more;
    onProgress(messages.length);
  }
  return {
    messages: messages.slice(-PRINTED_MAX),
    isCut: hasMore || messages.length > PRINTED_MAX,
  };
}
