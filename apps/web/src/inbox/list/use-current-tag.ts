import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { TagFilter } from '../../fans/tags/queries.ts';
import { globalTagsOptions } from '../../fans/tags/queries.ts';

/** Returns a filter tag with its current label and color. */
export function useCurrentTag(tag: TagFilter | null): TagFilter | null {
  const { data: library } = useQuery({ ...globalTagsOptions, enabled: tag !== null });
  const current = library?.find(({ id }) => id === tag?.tag);
  return useMemo(() => {
    if (tag === null || !current) return tag;
    return { tag: tag.tag, label: current.label, color: current.color };
  }, [tag, current]);
}
