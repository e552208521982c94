import { createKeptStore } from './kept-store.ts';

/** A server response as stored in IndexedDB. */
export interface KeptAnswer {
  admin: string;
  key: string;
  data: unknown;
  /** Milliseconds. */
  savedAt: number;
}

const { transact, erase } = createKeptStore('stagedoor_kept', 'answers', ['admin', 'key']);

/** Stores answers, replacing earlier ones with the same keys. */
export async function keepAnswers(answers: readonly KeptAnswer[]): Promise<void> {
  await transact('readwrite', (store) => {
    for (const answer of answers) store.put(answer);
    return undefined;
  });
}

/** Returns an admin's stored answer, or undefined if there is none. */
export async function keptAnswer(admin: string, key: string): Promise<KeptAnswer | undefined> {
  return transact<KeptAnswer>('readonly', (store) => store.get([admin, key]));
}

/** Deletes the answers of all other admins, and this admin's oldest ones once they exceed `most` by more than a quarter. */
export async function pruneAnswers(admin: string, most: number): Promise<void> {
  // The answers are large: they are only read when some must be deleted.
  const keys = (await transact('readonly', (store) => store.getAllKeys())) as [string, string][];
  if (keys.length <= most * 1.25 && keys.every(([of]) => of === admin)) return;
  const all = (await transact<KeptAnswer[]>('readonly', (store) => store.getAll())) ?? [];
  const own = all.filter((answer) => answer.admin === admin);
  const old = own.sort((a, b) => b.savedAt - a.savedAt).slice(most);
  const gone = [...all.filter((answer) => answer.admin !== admin), ...old];
  await transact('readwrite', (store) => {
    for (const answer of gone) store.delete([answer.admin, answer.key]);
    return undefined;
  });
}

/** Deletes all stored answers of all admins. */
export const eraseAnswers = erase;
