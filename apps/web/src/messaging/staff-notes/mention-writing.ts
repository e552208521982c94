import { mentionOf, mentionParts } from '@stagedoor/contract/messaging/mention-text';
import type { StaffMember } from '@stagedoor/contract/team/staff';

type Named = Pick<StaffMember, 'id' | 'codename'>;

/** Returns a name as typed in a note. */
export const writtenName = ({ codename }: Pick<Named, 'codename'>): string => `@${codename}`;

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Returns a text as it is stored: each typed @name, in any case, becomes a mention of that staff member. */
export function toStored(text: string, people: readonly Named[]): string {
  if (!text.includes('@') || people.length === 0) return text;
  const byName = new Map(people.map((person) => [person.codename.toLowerCase(), person.id]));
  // Tries the longest names first, so that `@Blood` does not match the start of `@Blood Orange`.
  const names = [...byName.keys()].sort((a, b) => b.length - a.length).map(escaped);
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])@(${names.join('|')})(?![\\p{L}\\p{N}_])`, 'giu');
  return text.replaceAll(pattern, (written, name: string) => {
    const id = byName.get(name.toLowerCase());
    return id === undefined ? written : mentionOf(id);
  });
}

/** Returns a stored text in its editable form. */
export function toWritten(content: string, people: readonly Named[]): string {
  return mentionParts(content)
    .map((part) => {
      if ('text' in part) return part.text;
      const person = people.find(({ id }) => id === part.adminId);
      return person ? writtenName(person) : mentionOf(part.adminId);
    })
    .join('');
}

/** A name being typed before the caret: the position of its `@`, and the text after it. */
export interface BegunName {
  start: number;
  query: string;
}

/** The maximum length of a query: longer than the first word of any codename. */
const QUERY_MAX = 40;

/**
 * Returns the name being typed, or null.
 * @param caret the caret's offset in the text
 */
export function begunName(text: string, caret: number): BegunName | null {
  const before = text.slice(Math.max(0, caret - QUERY_MAX - 2), caret);
  const [, query] = /(?:^|[^\p{L}\p{N}_@])@([^\s@]*)$/u.exec(before) ?? [];
  return query === undefined ? null : { start: caret - query.length - 1, query };
}

/** Returns the people whose name matches: names that start with the query before names that contain it. */
export function matchingTeammates<P extends Named>(
  query: string,
  people: readonly P[],
  max: number,
): P[] {
  const wanted = query.toLowerCase();
  const rank = ({ codename }: P) => codename.toLowerCase().indexOf(wanted);
  return people
    .filter((person) => rank(person) !== -1)
    .sort((a, b) => Number(rank(a) > 0) - Number(rank(b) > 0))
    .slice(0, max);
}
