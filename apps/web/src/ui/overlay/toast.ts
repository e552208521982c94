import { useSyncExternalStore } from 'react';
import { createListeners } from '../../lib/listeners.ts';

/** A short message about an action, which disappears by itself. */
export interface Toast {
  text: string;
  /** Undoes the action. */
  onUndo?: (() => void) | undefined;
}

/** A message about an action that failed. It does not replace the toast, whose Undo may belong to another action. */
export interface Problem {
  /** Identifies the action: a new problem with the same key replaces the old one. */
  key: string;
  text: string;
  /** If set, the problem stays until it is dismissed. */
  onRetry?: (() => void) | undefined;
}

interface Shown {
  /** Where toasts appear within the layout; null: over the page. */
  slot: HTMLElement | null;
  toast: Toast | null;
  /** The latest comes last. */
  problems: readonly Problem[];
}

/** The maximum number of problems shown. More would cover the page. */
const MOST_PROBLEMS = 3;

let current: Shown = { slot: null, toast: null, problems: [] };
const listeners = createListeners();

function show(next: Shown): void {
  current = next;
  listeners.notify();
}

/** Sets the layout element in which toasts appear. Use it as that element's `ref`. */
export function setToastSlot(slot: HTMLElement | null): void {
  show({ ...current, slot });
}

/** Shows a toast and replaces the previous one. */
export function showToast(toast: Toast): void {
  show({ ...current, toast });
}

/** Hides a toast, unless another one has replaced it. */
export function hideToast(toast: Toast): void {
  if (current.toast === toast) show({ ...current, toast: null });
}

/** Shows an action that failed. */
export function showProblem(problem: Problem): void {
  const others = current.problems.filter(({ key }) => key !== problem.key);
  show({ ...current, problems: [...others, problem].slice(-MOST_PROBLEMS) });
}

/** Hides the problem with this key, if there is one. */
export function hideProblem(key: string): void {
  if (!current.problems.some((problem) => problem.key === key)) return;
  show({ ...current, problems: current.problems.filter((problem) => problem.key !== key) });
}

/** Returns the toasts and problems to show, and re-renders when they change. */
export function useToasts(): Shown {
  return useSyncExternalStore(listeners.subscribe, () => current);
}
