import type { FanTag } from '@stagedoor/contract/fans/fans';
import type { GlobalTag } from '@stagedoor/contract/fans/tags';

/** A fan's tags after a tag of the library was renamed or recoloured; the same array where that changes nothing. */
export function withTagUpdated(tags: FanTag[], { id, label, color }: GlobalTag): FanTag[] {
  const isAffected = tags.some(
    (tag) => tag.globalTagId === id && (tag.label !== label || tag.color !== color),
  );
  if (!isAffected) return tags;
  return tags.map((tag) => (tag.globalTagId === id ? { ...tag, label, color } : tag));
}

/** A fan's tags after a tag of the library was deleted; the same array where that changes nothing. */
export function withTagDeleted(tags: FanTag[], id: string): FanTag[] {
  return tags.some((tag) => tag.globalTagId === id)
    ? tags.filter((tag) => tag.globalTagId !== id)
    : tags;
}

/** The library with a new or changed tag in its place: by label. */
export function putInLibrary(library: readonly GlobalTag[], tag: GlobalTag): GlobalTag[] {
  const others = library.filter(({ id }) => id !== tag.id);
  const key = tag.label.toLowerCase();
  const place = others.findIndex(({ label }) => label.toLowerCase() > key);
  return others.toSpliced(place === -1 ? others.length : place, 0, tag);
}

/** The library without a tag. */
export function dropFromLibrary(library: readonly GlobalTag[], id: string): GlobalTag[] {
  return library.filter((tag) => tag.id !== id);
}
