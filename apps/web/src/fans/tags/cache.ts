import type { FanTag } from '@stagedoor/contract/fans/fans';
import type { GlobalTag } from '@stagedoor/contract/fans/tags';

/** Returns a fan's tags after a library tag was renamed or recolored, or the same array if nothing changes. */
export function withTagUpdated(tags: FanTag[], { id, label, color }: GlobalTag): FanTag[] {
  const isAffected = tags.some(
    (tag) => tag.globalTagId === id && (tag.label !== label || tag.color !== color),
  );
  if (!isAffected) return tags;
  return tags.map((tag) => (tag.globalTagId === id ? { ...tag, label, color } : tag));
}

/** Returns a fan's tags after a library tag was deleted, or the same array if nothing changes. */
export function withTagDeleted(tags: FanTag[], id: string): FanTag[] {
  return tags.some((tag) => tag.globalTagId === id)
    ? tags.filter((tag) => tag.globalTagId !== id)
    : tags;
}

export function putInLibrary(library: readonly GlobalTag[], tag: GlobalTag): GlobalTag[] {
  const others = library.filter(({ id }) => id !== tag.id);
  const key = tag.label.toLowerCase();
  const index = others.findIndex(({ label }) => label.toLowerCase() > key);
  return others.toSpliced(index === -1 ? others.length : index, 0, tag);
}

export function dropFromLibrary(library: readonly GlobalTag[], id: string): GlobalTag[] {
  return library.filter((tag) => tag.id !== id);
}
