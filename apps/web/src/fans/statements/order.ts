import type { FanStatement } from '@stagedoor/contract/fans/statements';

/** Statements grouped and sorted for display. */
export interface Ordered {
  /** Open promises, soonest due first. */
  open: FanStatement[];
  /** Kept promises, last kept first. */
  done: FanStatement[];
  /** Statements without a due date, newest first. */
  statements: FanStatement[];
}

/** Groups statements into open promises, kept promises and plain statements. */
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
    statements: statements
      .filter(({ due_at }) => due_at === null)
      .toSorted(by('created_at'))
      .toReversed(),
  };
}
