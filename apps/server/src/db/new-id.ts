import { randomBytes } from 'node:crypto';

/**
 * Returns a new row's id: a UUID version 7. These grow with time, so inserts touch only the end of an index. The database's
 * `new_id()` creates the same kind. Not for secrets: an id reveals when it was created.
 */
export function newId(): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
