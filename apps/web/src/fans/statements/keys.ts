/** The query keys of statements and promises. */
export const statementKeys = {
  all: ['statements'] as const,
  of: (conversationId: string) => ['statements', 'of', conversationId] as const,
  promises: ['statements', 'promises'] as const,
};
