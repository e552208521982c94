import { ApiError } from '../../lib/api.ts';

/** Checks whether a payment was refused because the fan already owns the product, from this offer or another one. */
export const isAlreadyOwned = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.code === 'already_purchased' || error.code === 'already_owned');
