import type { FanStatement } from '@stagedoor/contract/fans/statements';

/** Statements as they are shown. */
export interface Ordered {
  /** Not done, the soonest due first. */
  open: FanStatement[];
  /** The one that was kept last first. */
  done: FanStatement[];
  /** What is no promise, the newest first. */
  told: FanStatement[];
}

/** Parts what a fan was told from what they were promised. */
export function ordered(statements: readonly FanStatement[]): Ordered {
  const by = (field: 'due_at' | 'done_at' | 'created_at') => (a: FanStatement, b: FanStatement) =>
    (a[field] ?? '').localeCompare(b[field] ?? '') || a.id.localeCompare(b.id);
  const promises = statements.filter(({ due_at }) => due_at !== null);
  return {
    open: promises.filter(({ done_at }) => done_at === null).toSorted(by('due_at')),
    done: promises
      .filter(({ done_at }) => done_at !== null)
      .toSorted(by('done_at'))
      .toReversed(),
    told: statements
      .filter(({ due_at }) => due_at === null)
      .toSorted(by('created_at'))
      .toReversed(),
  };
}
