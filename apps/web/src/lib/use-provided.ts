import { type Context, useContext } from 'react';

/** Returns the value that a provider gives. Throws outside of the provider. */
export function useProvided<T>(context: Context<T | null>): T {
  const value = useContext(context);
  if (value === null) throw new Error('used outside of its provider');
  return value;
}
