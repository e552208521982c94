import { type Context, useContext } from 'react';

/** Returns a context's value. Throws outside of its provider. */
export function useProvided<T>(context: Context<T | null>): T {
  const value = useContext(context);
  if (value === null) throw new Error('used outside of its provider');
  return value;
}
