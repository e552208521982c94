import type { Present } from './seats.ts';

const names = new Intl.ListFormat('en', { type: 'conjunction' });
/** More of them are not named one by one. */
const NAMED = 2;

const listed = (people: readonly Present[]) => names.format(people.map(({ codename }) => codename));

/** Who has the conversation open. */
export function hereText(people: readonly Present[]): string {
  const who = listed(people);
  return people.length === 1 ? `${who} is here too` : `${who} are here too`;
}

/** Who is writing in it, or null. */
export function typingText(people: readonly Present[]): string | null {
  const typing = people.filter((person) => person.typing);
  if (typing.length === 0) return null;
  if (typing.length > NAMED) return 'Several colleagues are typing…';
  const who = listed(typing);
  return typing.length === 1 ? `${who} is typing…` : `${who} are typing…`;
}
