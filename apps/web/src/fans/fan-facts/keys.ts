/** The keys under which what is known of fans is cached, by their conversation. */
export const fanKeys = {
  all: ['fan'] as const,
  one: (conversationId: string) => ['fan', conversationId] as const,
};
