import {
  type AdminRecord,
  type Fruit,
  listAdmins,
  listFruits,
} from '@stagedoor/contract/team/admins';
import { queryOptions, replaceEqualDeep } from '@tanstack/react-query';
import { ApiError, call, errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { mergeAdmins } from './cache.ts';

/** All current and former admins. Live events keep the list current. */
export const adminsOptions = queryOptions({
  queryKey: ['admins'],
  queryFn: async ({ signal }): Promise<AdminRecord[]> => (await call(listAdmins, { signal })).data,
  structuralSharing: (known, fetched) =>
    known === undefined
      ? fetched
      : replaceEqualDeep(known, mergeAdmins(known as AdminRecord[], fetched as AdminRecord[])),
});

/** All codenames, and which are taken. Teammates may take more, so the list is refetched on each opening. */
export const fruitsOptions = queryOptions({
  queryKey: ['fruits'],
  queryFn: async ({ signal }): Promise<Fruit[]> => (await call(listFruits, { signal })).data,
  staleTime: 0,
});

/** Returns why the list failed to load. */
export function adminsErrorText(error: unknown): string {
  const hasAnswer = error instanceof ApiError && error.status !== 0;
  return errorText(error, hasAnswer ? t('Failed to fetch admins') : t('Failed to load admins'));
}
