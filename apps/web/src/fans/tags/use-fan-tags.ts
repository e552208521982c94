import type { FanTag, FanTagInput } from '@stagedoor/contract/fans/fans';
import { useRef, useState } from 'react';
import { tagInputs } from './choice.ts';

interface FanTagsOptions {
  /** The stored tags. */
  stored: FanTag[];
  /** Saves the whole list and shows the stored one. */
  save: (tags: FanTagInput[]) => Promise<void>;
}

/** Manages changes to a fan's tags: each change shows at once and saves the whole list; a failed save can be retried. */
export function useFanTags({ stored, save: store }: FanTagsOptions) {
  const [wanted, setWanted] = useState<FanTag[] | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const latest = useRef<FanTag[] | null>(null);
  const isSaving = useRef(false);

  const save = async () => {
    if (isSaving.current) return;
    isSaving.current = true;
    try {
      // Changes made during a save are saved after it.
      for (let tags = latest.current; tags !== null; tags = latest.current) {
        await store(tagInputs(tags));
        if (latest.current !== tags) continue;
        latest.current = null;
        setWanted(null);
      }
    } catch (error) {
      console.error('Failed to update tags', error);
      setFailed(true);
    } finally {
      isSaving.current = false;
    }
  };
  const retry = () => {
    setFailed(false);
    void save();
  };
  const change = (tags: FanTag[]) => {
    latest.current = tags;
    setWanted(tags);
    retry();
  };
  return { tags: wanted ?? stored, change, hasFailed, retry };
}
