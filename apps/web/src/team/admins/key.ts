/** The query key of the staff list. Separate from the query, so that the initial bundle only contains the key. */
export const ADMINS_KEY = ['admins'] as const;
