import { mentionOf, mentionParts } from '@stagedoor/contract/messaging/mention-text';
import type { StaffMember } from '@stagedoor/contract/team/staff';

type Named = Pick<StaffMember, 'id' | 'codename'>;

/** How a name is called where someone writes. */
export const writtenName = ({ codename }: Pick<Named, 'codename'>): string => `@${codename}`;

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A text as it is stored: each name that someone wrote, in whatever case, becomes the one who has it. */
export function toStored(text: string, people: readonly Named[]): string {
  if (!text.includes('@') || people.length === 0) return text;
  const byName = new Map(people.map((person) => [person.codename.toLowerCase(), person.id]));
  // The longest first: `@Blood Orange` is not `@Blood`.
  const names = [...byName.keys()].sort((a, b) => b.length - a.length).map(escaped);
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])@(${names.join('|')})(?![\\p{L}\\p{N}_])`, 'giu');
  return text.replaceAll(pattern, (written, name: string) => {
    const id = byName.get(name.toLowerCase());
    return id === undefined ? written : mentionOf(id);
  });
}

/** A stored text as it can be written on. */
export function toWritten(content: string, people: readonly Named[]): string {
  return mentionParts(content)
    .map((part) => {
      if ('text' in part) return part.text;
      const person = people.find(({ id }) => id === part.adminId);
      return person ? writtenName(person) : mentionOf(part.adminId);
    })
    .join('');
}

/** The beginning of a name that stands before the caret: where its `@` is, and what was typed after it. */
export interface BegunName {
  start: number;
  query: string;
}

/** Longer than any codename's first word would be. */
const QUERY_MAX = 40;

/** The name that is being typed; null where none is. @param caret between which characters of the text it stands */
export function begunName(text: string, caret: number): BegunName | null {
  const before = text.slice(Math.max(0, caret - QUERY_MAX - 2), caret);
  const [, query] = /(?:^|[^\p{L}\p{N}_@])@([^\s@]*)$/u.exec(before) ?? [];
  return query === undefined ? null : { start: caret - query.length - 1, query };
}

/** Those whom a beginning may mean: names that begin so before names that hold it. */
export function meantBy<P extends Named>(query: string, people: readonly P[], max: number): P[] {
  const wanted = query.toLowerCase();
  const rank = ({ codename }: P) => codename.toLowerCase().indexOf(wanted);
  return people
    .filter((person) => rank(person) !== -1)
    .sort((a, b) => Number(rank(a) > 0) - Number(rank(b) > 0))
    .slice(0, max);
}
