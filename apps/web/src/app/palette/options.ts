import type { Conversation, SearchHit } from '@stagedoor/contract/inbox/conversations';
import type { Command } from '../../lib/commands.ts';
import { t } from '../../lib/text/i18n.ts';
import { fuzzyFit } from './fuzzy.ts';

/** What can be chosen. `key` tells it from all others. */
export type Option =
  | { kind: 'command'; key: string; command: Command; marked: readonly number[] }
  | { kind: 'fan'; key: string; conversation: Conversation | SearchHit };

export interface Group {
  title: string;
  options: readonly Option[];
}

/** The sections in their order; those that are not named stand in the place of the gap. */
const FIRST_SECTIONS = [t('Conversation'), t('Inbox'), t('Show'), t('Products')];
const LAST_SECTIONS = [t('General'), t('Go to'), t('Theme'), t('Account')];

function placeOf(section: string): number {
  const first = FIRST_SECTIONS.indexOf(section);
  if (first !== -1) return first;
  const last = LAST_SECTIONS.indexOf(section);
  return FIRST_SECTIONS.length + (last === -1 ? 0 : last + 1);
}

/** The sections of some things in their order, each with what belongs to it. */
export function bySection<T extends { section: string }>(things: readonly T[]): [string, T[]][] {
  const sections = new Map<string, T[]>();
  for (const thing of things) {
    sections.set(thing.section, [...(sections.get(thing.section) ?? []), thing]);
  }
  return [...sections].sort(([a], [b]) => placeOf(a) - placeOf(b));
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

/** What is offered before anything is typed: what was used last, then everything by its section. */
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
 * What was typed finds: commands that it surely means, fans, and what else it could mean. That comes only once the fans are
 * known, so that nothing moves away from under the Enter key.
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
  // Of two that fit as well the shorter has more of what was typed.
  fits.sort((a, b) => b.score - a.score || a.length - b.length);
  const optionsOf = (isClose: boolean) =>
    fits.filter((fit) => fit.isClose === isClose).map(({ option }) => option);
  return filled([
    { title: t('Commands'), options: optionsOf(true) },
    { title: t('Fans'), options: fans.hits.map(fanOption) },
    { title: t('More commands'), options: fans.isSearching ? [] : optionsOf(false) },
  ]);
}
