import { useTypingText } from '../../inbox/presence/queries.ts';
import { useOpenConversation } from '../messages/open-conversation.ts';

/** The teammates who are typing in the conversation. */
export function TypingNote() {
  const text = useTypingText(useOpenConversation().id);
  if (text === null) return null;
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-accent-text">
      <span
        aria-hidden="true"
        className="size-1.5 shrink-0 animate-pulse rounded-full bg-accent-text motion-reduce:animate-none"
      />
      <span className="truncate">{text}</span>
    </span>
  );
}
