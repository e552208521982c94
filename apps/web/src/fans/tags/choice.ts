import type { FanTag, FanTagInput } from '@stagedoor/contract/fans/fans';
import type { GlobalTag } from '@stagedoor/contract/fans/tags';

/** The tags of the library that a fan may still get, of those whose label contains the text in any case. */
export function tagsToAdd(
  library: readonly GlobalTag[],
  onFan: readonly FanTag[],
  text: string,
): GlobalTag[] {
  const taken = new Set(onFan.map(({ globalTagId }) => globalTagId));
  const needle = text.trim().toLowerCase();
  return library.filter(({ id, label }) => !taken.has(id) && label.toLowerCase().includes(needle));
}

/** The id of a tag that is not stored yet begins with this. */
const NEW_ID_PREFIX = 'new-';

/** A tag of the library as it will be on the fan. */
export function fromLibrary({ id, label, color }: GlobalTag): FanTag {
  return { id: `${NEW_ID_PREFIX}${id}`, label, color, isGlobal: true, globalTagId: id };
}

/** A tag of the fan's own. `key` tells it from others that are not stored yet. */
export function customTag(label: string, color: string, key: string): FanTag {
  return {
    id: `${NEW_ID_PREFIX}${key}`,
    label: label.trim(),
    color,
    isGlobal: false,
    globalTagId: null,
  };
}

/** The tags as a save takes them. */
export function tagInputs(tags: readonly FanTag[]): FanTagInput[] {
  return tags.map(({ id, label, color, isGlobal, globalTagId }) => {
    const identity = id.startsWith(NEW_ID_PREFIX) ? {} : { id };
    return globalTagId === null
      ? { ...identity, label, color, isGlobal }
      : { ...identity, isGlobal, globalTagId };
  });
}

/** The tags with one moved to another place. */
export function moveTag(tags: readonly FanTag[], from: number, to: number): FanTag[] {
  const tag = tags[from];
  return tag ? tags.toSpliced(from, 1).toSpliced(to, 0, tag) : [...tags];
}
