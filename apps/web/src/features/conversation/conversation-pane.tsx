export interface ConversationPaneProps {
  id: string;
  /** Where there is a way back: the header shows a back button on narrow screens. */
  onBack?: (() => void) | undefined;
  /** The server knows no conversation with this id. */
  onMissing?: (() => void) | undefined;
}

/** A conversation: who the fan is, what was said, and the reply. */
export function ConversationPane({ id }: ConversationPaneProps) {
  return <section aria-label="Conversation" data-conversation={id} />;
}
