/**
 * Random values depend only on the row's number. So each table can be written independently, in any order, and can refer to rows
 * of other tables without keeping those rows in memory.
 */

/** Maps each 32-bit value to a different 32-bit value. */
function mix(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** Returns a number from 0 to below 1. Each `salt` gives a different series. */
export const draw = (salt: number, row: number): number =>
  mix(row ^ mix(salt * 0x9e3779b1)) / 4_294_967_296;

/** Returns a whole number from 0 to below `limit`. */
export const pick = (salt: number, row: number, limit: number): number =>
  Math.floor(draw(salt, row) * limit);

const HEX = Array.from({ length: 65_536 }, (_, value) => value.toString(16).padStart(4, '0'));

/** Returns 16 bytes in hexadecimal: unique among the rows of this kind, and unordered like random ids. */
export function hexOf(kind: number, row: number): string {
  const a = mix(row ^ mix(kind * 0x85ebca6b));
  const b = mix(a ^ 0x2545f491);
  const c = mix(b ^ row);
  const d = mix(c ^ 0x5bd1e995);
  const hex = (value: number) => `${HEX[value >>> 16]}${HEX[value & 0xffff]}`;
  // UUID version 8: a custom format.
  return `${hex(a)}${HEX[b >>> 16]}8${HEX[b & 0xffff]?.slice(1)}a${HEX[c >>> 16]?.slice(1)}${HEX[c & 0xffff]}${hex(d)}`;
}

/** Formats the bytes from {@link hexOf} as a UUID. */
export const asUuid = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;

/** Cached ids by kind and row, because every message needs the ids of its fan and conversation. */
const kept: string[][] = [];

export function uuidOf(kind: number, row: number): string {
  if (kind > KIND.conversation) return asUuid(hexOf(kind, row));
  kept[kind] ??= [];
  const ids = kept[kind];
  ids[row] ??= asUuid(hexOf(kind, row));
  return ids[row];
}

/** Kinds of ids. Fan and conversation ids are cached. */
export const KIND = {
  fan: 1,
  conversation: 2,
  message: 3,
  product: 4,
  attachment: 5,
  invite: 6,
  note: 7,
};

/** Salts: one series for each random decision. */
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
