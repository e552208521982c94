/** The keys under which what fans were told and promised is cached. */
export const statementKeys = {
  all: ['statements'] as const,
  of: (conversationId: string) => ['statements', 'of', conversationId] as const,
  promises: ['statements', 'promises'] as const,
};
