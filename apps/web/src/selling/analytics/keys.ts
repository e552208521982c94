/** The query key prefix of all analytics. */
export const analyticsKey = ['analytics'] as const;
