import { createStored } from '../../lib/server/stored.ts';

/** Recently used items, newest first. */
interface Recent {
  commands: readonly string[];
  conversations: readonly string[];
}

const KEPT = 5;
const NOTHING: Recent = { commands: [], conversations: [] };

/** The signed-in admin's recent items in this browser. Only ids are stored, no names. */
export const recentStore = createStored<Recent>({
  name: 'recent',
  empty: NOTHING,
  parse: (text) => {
    const value = JSON.parse(text) as Partial<Record<keyof Recent, unknown>>;
    return { commands: textsOf(value.commands), conversations: textsOf(value.conversations) };
  },
});

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** Moves an id to the front of its list. */
export function remember(kind: keyof Recent, id: string): void {
  const recent = recentStore.get();
  const ids = [id, ...recent[kind].filter((other) => other !== id)].slice(0, KEPT);
  recentStore.set({ ...recent, [kind]: ids });
}
