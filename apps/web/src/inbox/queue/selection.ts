import { BULK_MAX } from '@stagedoor/contract/inbox/bulk';
import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { useSyncExternalStore } from 'react';
import { createListeners } from '../../lib/listeners.ts';

/** The conversations selected for a bulk action. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Whether checkboxes are always visible, which devices without hover need. */
  readonly isOn: boolean;
}

const NONE: Selection = { ids: new Set(), isOn: false };

let current = NONE;
let order: readonly Pick<Conversation, 'id'>[] = [];
/** The row that a range selection starts from. */
let anchor: string | null = null;
const listeners = createListeners();

function set(next: Selection): void {
  current = next;
  listeners.notify();
}

/** Sets the rows in display order. Range selections use this order. */
export function setSelectionOrder(rows: typeof order): void {
  order = rows;
}

/** Selects or deselects a row. @param isRange selects all rows from the last clicked row to this row */
export function toggleSelected(id: string, isRange: boolean): void {
  const ids = new Set(current.ids);
  const indexOf = (sought: string | null) => order.findIndex((row) => row.id === sought);
  const [from, to] = [indexOf(anchor), indexOf(id)];
  if (isRange && from !== -1 && to !== -1) {
    for (const row of order.slice(Math.min(from, to), Math.max(from, to) + 1)) ids.add(row.id);
  } else if (!ids.delete(id)) ids.add(id);
  anchor = id;
  set({ ids: new Set([...ids].slice(0, BULK_MAX)), isOn: current.isOn || ids.size > 0 });
}

/** Shows the checkboxes of all rows. */
export function beginSelecting(): void {
  set({ ...current, isOn: true });
}

/** Deselects rows. Selection mode ends with the last selected row. */
export function deselect(ids: readonly string[]): void {
  const left = [...current.ids].filter((id) => !ids.includes(id));
  if (left.length === current.ids.size) return;
  if (left.length === 0) clearSelection();
  else set({ ...current, ids: new Set(left) });
}

export function clearSelection(): void {
  anchor = null;
  if (current !== NONE) set(NONE);
}

export function useSelection(): Selection {
  return useSyncExternalStore(listeners.subscribe, () => current);
}
