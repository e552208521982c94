/** The key under which everything of the analytics is cached, whatever the range. */
export const analyticsKey = ['analytics'] as const;
