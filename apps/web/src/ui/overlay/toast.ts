import { useSyncExternalStore } from 'react';

/** A short word on what was done, which goes by itself. */
export interface Toast {
  text: string;
  /** Takes back what was done. */
  onUndo?: (() => void) | undefined;
}

/** Something that could not be done. It stands beside the toast, whose Undo may be of something else. */
export interface Problem {
  /** What it is about: a later problem with the same replaces it. */
  key: string;
  text: string;
  /** With it, the problem stays until it is dismissed. */
  onRetry?: (() => void) | undefined;
}

interface Shown {
  toast: Toast | null;
  /** The latest last. */
  problems: readonly Problem[];
}

/** More at once would cover the page. */
const MOST_PROBLEMS = 3;

let current: Shown = { toast: null, problems: [] };
const listeners = new Set<() => void>();

function show(next: Shown): void {
  current = next;
  for (const listener of listeners) listener();
}

/** Shows a toast in place of the one before. */
export function showToast(toast: Toast): void {
  show({ ...current, toast });
}

/** Takes a toast away, unless another one has taken its place. */
export function hideToast(toast: Toast): void {
  if (current.toast === toast) show({ ...current, toast: null });
}

/** Shows what could not be done. */
export function showProblem(problem: Problem): void {
  const others = current.problems.filter(({ key }) => key !== problem.key);
  show({ ...current, problems: [...others, problem].slice(-MOST_PROBLEMS) });
}

/** Takes away the problem with this key, if there is one. */
export function hideProblem(key: string): void {
  if (!current.problems.some((problem) => problem.key === key)) return;
  show({ ...current, problems: current.problems.filter((problem) => problem.key !== key) });
}

/** What is due, re-rendering with it. */
export function useToasts(): Shown {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
