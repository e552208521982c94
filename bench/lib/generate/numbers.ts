/**
 * What is drawn for a row hangs on its number alone, so that each table can be written by itself, in any order, and names the
 * rows of others without keeping them.
 */

/** Spreads 32 bits over 32 bits, each value to another one. */
function mix(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** From 0 to below 1; another series for each `salt`. */
export const draw = (salt: number, row: number): number =>
  mix(row ^ mix(salt * 0x9e3779b1)) / 4_294_967_296;

/** A whole number below `limit`. */
export const pick = (salt: number, row: number, limit: number): number =>
  Math.floor(draw(salt, row) * limit);

const HEX = Array.from({ length: 65_536 }, (_, value) => value.toString(16).padStart(4, '0'));

/** Sixteen bytes in hexadecimal that no other row of the kind has, in no order, as random ids are. */
export function hexOf(kind: number, row: number): string {
  const a = mix(row ^ mix(kind * 0x85ebca6b));
  const b = mix(a ^ 0x2545f491);
  const c = mix(b ^ row);
  const d = mix(c ^ 0x5bd1e995);
  const hex = (value: number) => `${HEX[value >>> 16]}${HEX[value & 0xffff]}`;
  // Version 8, of our own making.
  return `${hex(a)}${HEX[b >>> 16]}8${HEX[b & 0xffff]?.slice(1)}a${HEX[c >>> 16]?.slice(1)}${HEX[c & 0xffff]}${hex(d)}`;
}

/** Those sixteen bytes as a UUID. */
export const asUuid = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;

/** By kind and row: the ids of fans and conversations are needed again with each message. */
const kept: string[][] = [];

/** The id of a row. */
export function uuidOf(kind: number, row: number): string {
  if (kind > KIND.conversation) return asUuid(hexOf(kind, row));
  kept[kind] ??= [];
  const ids = kept[kind];
  ids[row] ??= asUuid(hexOf(kind, row));
  return ids[row];
}

/** What ids are of; those of the first two are kept. */
export const KIND = { fan: 1, conversation: 2, message: 3, product: 4, attachment: 5, invite: 6 };

/** What is drawn; each has a series of its own. */
export const SALT = {
  unread: 1,
  unanswered: 2,
  status: 3,
  claim: 4,
  began: 5,
  ended: 6,
  answered: 7,
  read: 8,
  author: 9,
  offer: 10,
  product: 11,
  bought: 12,
  refunded: 13,
  picture: 14,
  quote: 15,
  reaction: 16,
  firstName: 17,
  lastName: 18,
  benefit: 19,
  notes: 20,
  invite: 21,
  audit: 22,
  unseen: 23,
};
