import { PRESENCE_EVERY_MS, type ServerEvent } from '@stagedoor/contract/realtime';
import { expect, test } from 'vitest';
import { othersIn, type Seats, withEvent, withoutLost } from './seats.ts';
import { hereText, typingText } from './words.ts';

const NOBODY: Seats = new Map();
const member = (codename: string) => ({ id: codename, codename, display_color: '#4251D4' });
const seat = (id: string, codename: string, conversation_id: string | null, typing = false) => ({
  seat: id,
  member: member(codename),
  conversation_id,
  typing,
});
type Event = ServerEvent<'presence'>;
const eventWith = (seats: Event['seats'], { node = 'a', whole = false } = {}): Event => ({
  node,
  whole,
  seats,
});
const after = (...events: Event[]) =>
  events.reduce((seats, event) => withEvent(seats, event, 0), NOBODY);

test('teammates who have a conversation open are listed once each, without the viewer', () => {
  const seats = after(
    eventWith([seat('1', 'Kiwi', 'x'), seat('2', 'Kiwi', 'x', true), seat('3', 'Mango', 'x')]),
    eventWith([seat('4', 'Apple', 'x'), seat('5', 'Fig', 'y')], { node: 'b' }),
  );
  expect(othersIn(seats, 'x', 'Mango')).toEqual([
    { ...member('Apple'), typing: false },
    { ...member('Kiwi'), typing: true },
  ]);
  expect(othersIn(seats, 'z', 'Mango')).toEqual([]);
});

test('opening another conversation, or none, leaves the previous one', () => {
  const seats = after(eventWith([seat('1', 'Kiwi', 'x')]), eventWith([seat('1', 'Kiwi', 'y')]));
  expect(othersIn(seats, 'x', '')).toEqual([]);
  expect(othersIn(seats, 'y', '')).toHaveLength(1);
  expect(withEvent(seats, eventWith([seat('1', 'Kiwi', null)]), 0).size).toBe(0);
});

test('a whole report replaces all seats of its node, and none of other nodes', () => {
  const seats = after(
    eventWith([seat('1', 'Kiwi', 'x')]),
    eventWith([seat('2', 'Fig', 'x')], { node: 'b' }),
    eventWith([seat('3', 'Mango', 'x')], { whole: true }),
  );
  expect(othersIn(seats, 'x', '').map(({ codename }) => codename)).toEqual(['Fig', 'Mango']);
});

test('seats that are no longer reported are dropped after a while, typing sooner', () => {
  const seats = after(eventWith([seat('1', 'Kiwi', 'x', true)]));
  expect(withoutLost(seats, 8_000)).toBe(seats);
  const later = withoutLost(seats, 9_000);
  expect(othersIn(later, 'x', '')).toEqual([{ ...member('Kiwi'), typing: false }]);
  expect(withoutLost(later, 4 * PRESENCE_EVERY_MS).size).toBe(0);
});

test('texts name the people who are present and who are typing', () => {
  const people = (...names: string[]) => names.map((name) => ({ ...member(name), typing: true }));
  expect(hereText(people('Kiwi'))).toBe('Kiwi is here too');
  expect(hereText(people('Fig', 'Kiwi', 'Mango'))).toBe('Fig, Kiwi, and Mango are here too');
  expect(typingText(people('Kiwi'))).toBe('Kiwi is typing…');
  expect(typingText(people('Fig', 'Kiwi'))).toBe('Fig and Kiwi are typing…');
  expect(typingText(people('Fig', 'Kiwi', 'Mango'))).toBe('Several teammates are typing…');
  expect(typingText([{ ...member('Kiwi'), typing: false }])).toBeNull();
});
