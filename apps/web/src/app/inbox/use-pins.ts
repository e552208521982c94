import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { useCached } from '../../lib/server/use-cached.ts';

const NO_PINS: readonly Conversation[] = [];

/** Returns the admin's pinned conversations. The lazy tools fetch them after the first rows have rendered. */
export const usePins = () => useCached<readonly Conversation[]>(['inbox', 'pins']) ?? NO_PINS;
