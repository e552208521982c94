import { createStored } from '../../lib/server/stored.ts';

/** What was used last, the newest first. */
interface Recent {
  /** Ids of commands. */
  commands: readonly string[];
  /** Ids of conversations. */
  conversations: readonly string[];
}

const KEPT = 5;
const NOTHING: Recent = { commands: [], conversations: [] };

/** What the signed-in admin used last in this browser. It names nobody. */
export const recentStore = createStored<Recent>({
  name: 'recent',
  empty: NOTHING,
  parse: (text) => {
    const value = JSON.parse(text) as Partial<Record<keyof Recent, unknown>>;
    return { commands: textsOf(value.commands), conversations: textsOf(value.conversations) };
  },
  isEmpty: ({ commands, conversations }) => commands.length + conversations.length === 0,
});

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** Puts an id first among those of its kind. */
export function remember(kind: keyof Recent, id: string): void {
  const recent = recentStore.get();
  const ids = [id, ...recent[kind].filter((other) => other !== id)].slice(0, KEPT);
  recentStore.set({ ...recent, [kind]: ids });
}
