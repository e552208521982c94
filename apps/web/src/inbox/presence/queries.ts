import { useOthers } from './seats.ts';
import { typingText } from './words.ts';

/**
 * Returns a text that names the teammates who are typing in a conversation, or null. It is here, although it queries nothing,
 * because other domains may import only `queries` and `cache`.
 */
export function useTypingText(conversationId: string): string | null {
  return typingText(useOthers(conversationId));
}
