/** The query keys of the facts about fans, by conversation. */
export const fanKeys = {
  all: ['fan'] as const,
  one: (conversationId: string) => ['fan', conversationId] as const,
};
