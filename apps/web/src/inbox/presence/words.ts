import { locale, t } from '../../lib/text/i18n.ts';
import type { Present } from './seats.ts';

const names = new Intl.ListFormat(locale, { type: 'conjunction' });
/** The maximum number of people to name. */
const NAMED = 2;

const listed = (people: readonly Present[]) => names.format(people.map(({ codename }) => codename));

/** Returns a text that names the people who have the conversation open. */
export function hereText(people: readonly Present[]): string {
  const values = { count: people.length, who: listed(people) };
  return t('{count, plural, one {{who} is here too} other {{who} are here too}}', values);
}

/** Returns a text that names the people who are typing, or null. */
export function typingText(people: readonly Present[]): string | null {
  const typing = people.filter((person) => person.typing);
  if (typing.length === 0) return null;
  if (typing.length > NAMED) return t('Several teammates are typing…');
  const values = { count: typing.length, who: listed(typing) };
  return t('{count, plural, one {{who} is typing…} other {{who} are typing…}}', values);
}
