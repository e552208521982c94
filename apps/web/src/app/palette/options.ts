import type { Conversation, SearchHit } from '@stagedoor/contract/inbox/conversations';
import type { Command } from '../../lib/commands.ts';
import { t } from '../../lib/text/i18n.ts';
import { fuzzyFit } from './fuzzy.ts';

/** An option of the palette. `key` is unique. */
export type Option =
  | { kind: 'command'; key: string; command: Command; marked: readonly number[] }
  | { kind: 'fan'; key: string; conversation: Conversation | SearchHit };

export interface Group {
  title: string;
  options: readonly Option[];
}

/** Sections in display order. Sections in neither list go between the two. */
const FIRST_SECTIONS = [t('Conversation'), t('Inbox'), t('Show'), t('Products')];
const LAST_SECTIONS = [t('General'), t('Go to'), t('Theme'), t('Account')];

function rankOf(section: string): number {
  const first = FIRST_SECTIONS.indexOf(section);
  if (first !== -1) return first;
  const last = LAST_SECTIONS.indexOf(section);
  return FIRST_SECTIONS.length + (last === -1 ? 0 : last + 1);
}

/** Groups items by section, with the sections in display order. */
export function bySection<T extends { section: string }>(things: readonly T[]): [string, T[]][] {
  const sections = new Map<string, T[]>();
  for (const thing of things) {
    sections.set(thing.section, [...(sections.get(thing.section) ?? []), thing]);
  }
  return [...sections].sort(([a], [b]) => rankOf(a) - rankOf(b));
}

const commandOption = (
  command: Command,
  group: string,
  marked: readonly number[] = [],
): Option => ({
  kind: 'command',
  key: `${group} ${command.id}`,
  command,
  marked,
});

const fanOption = (conversation: Conversation | SearchHit): Option => ({
  kind: 'fan',
  key: conversation.id,
  conversation,
});

const filled = (groups: readonly Group[]) => groups.filter(({ options }) => options.length > 0);

/** Returns the options before anything is typed: recently used ones, then all commands by section. */
export function browsed(
  commands: readonly Command[],
  recent: { commands: readonly string[]; fans: readonly Conversation[] },
): Group[] {
  const recentCommands = recent.commands.flatMap(
    (id) => commands.find((command) => command.id === id) ?? [],
  );
  return filled([
    {
      title: t('Recent'),
      options: [
        ...recent.fans.map(fanOption),
        ...recentCommands.map((command) => commandOption(command, 'recent')),
      ],
    },
    ...bySection(commands).map(([title, own]) => ({
      title,
      options: own.map((command) => commandOption(command, title)),
    })),
  ]);
}

/**
 * Returns the options for a typed text: commands that clearly match, fans, and commands that may match. The last group is added
 * only after the fans, so that the option that Enter would choose doesn't change.
 */
export function found(
  commands: readonly Command[],
  typed: string,
  fans: { hits: readonly SearchHit[]; isSearching: boolean },
): Group[] {
  const inOrder = bySection(commands).flatMap(([, own]) => own);
  const fits = inOrder.flatMap((command) => {
    const byTitle = fuzzyFit(command.title, typed);
    const fit = byTitle ?? fuzzyFit(`${command.section} ${command.title}`, typed);
    if (fit === null) return [];
    const { score, at, isClose } = fit;
    const option = commandOption(command, 'found', byTitle ? at : []);
    return [{ score, isClose, length: command.title.length, option }];
  });
  // If the scores are equal, the shorter title is the better match.
  fits.sort((a, b) => b.score - a.score || a.length - b.length);
  const optionsOf = (isClose: boolean) =>
    fits.filter((fit) => fit.isClose === isClose).map(({ option }) => option);
  return filled([
    { title: t('Commands'), options: optionsOf(true) },
    { title: t('Fans'), options: fans.hits.map(fanOption) },
    { title: t('More commands'), options: fans.isSearching ? [] : optionsOf(false) },
  ]);
}
