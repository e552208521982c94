/** Under which the staff are cached. Apart from the query, so that the first load knows the name and no more. */
export const ADMINS_KEY = ['admins'] as const;
