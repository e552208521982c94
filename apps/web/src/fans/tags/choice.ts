import type { FanTag, FanTagInput } from '@stagedoor/contract/fans/fans';
import type { GlobalTag } from '@stagedoor/contract/fans/tags';

/** Returns the library tags that a fan doesn't have yet and whose label contains the text, ignoring case. */
export function tagsToAdd(
  library: readonly GlobalTag[],
  onFan: readonly FanTag[],
  text: string,
): GlobalTag[] {
  const taken = new Set(onFan.map(({ globalTagId }) => globalTagId));
  const needle = text.trim().toLowerCase();
  return library.filter(({ id, label }) => !taken.has(id) && label.toLowerCase().includes(needle));
}

/** The id prefix of tags that are not stored yet. */
const NEW_ID_PREFIX = 'new-';

/** Returns a library tag as a new tag of a fan. */
export function fromLibrary({ id, label, color }: GlobalTag): FanTag {
  return { id: `${NEW_ID_PREFIX}${id}`, label, color, isGlobal: true, globalTagId: id };
}

/** Returns a tag that belongs to one fan only. `key` makes its id unique until it is stored. */
export function customTag(label: string, color: string, key: string): FanTag {
  return {
    id: `${NEW_ID_PREFIX}${key}`,
    label: label.trim(),
    color,
    isGlobal: false,
    globalTagId: null,
  };
}

/** Returns the tags as input for a save. */
export function tagInputs(tags: readonly FanTag[]): FanTagInput[] {
  return tags.map(({ id, label, color, isGlobal, globalTagId }) => {
    const identity = id.startsWith(NEW_ID_PREFIX) ? {} : { id };
    return globalTagId === null
      ? { ...identity, label, color, isGlobal }
      : { ...identity, isGlobal, globalTagId };
  });
}

/** Returns the tags with one moved to another position. */
export function moveTag(tags: readonly FanTag[], from: number, to: number): FanTag[] {
  const tag = tags[from];
  return tag ? tags.toSpliced(from, 1).toSpliced(to, 0, tag) : [...tags];
}
