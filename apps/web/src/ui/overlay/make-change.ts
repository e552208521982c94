import type { MutationKey, QueryClient } from '@tanstack/react-query';
import { hideToast, showToast, type Toast } from './toast.ts';

/** A change to make, and what the screen shows of it. */
export interface Change<Reply> {
  /** What is changed. Changes with the same key are saved one after the other, in the order in which they were made. */
  key: MutationKey;
  /** The change as data, which other code finds in the mutation cache while it is pending. */
  variables?: unknown;
  /** Shows the change at once. Returns a function that reverts what no newer change has replaced. */
  show?: () => () => unknown;
  save: () => Promise<Reply>;
  /** Shows the server's reply. */
  saved?: (reply: Reply) => unknown;
  /** Appears at once if the change shows at once, otherwise when it is saved. */
  toast?: Toast | undefined;
  /** Reports a failure, which is already reverted. */
  failed: (error: unknown) => void;
}

/** Makes a change. On failure it is reverted and its toast disappears, but no other one. */
export async function makeChange<Reply>(
  client: QueryClient,
  { key, variables, show, save, saved, toast, failed }: Change<Reply>,
): Promise<void> {
  const mutation = client.getMutationCache().build(client, {
    mutationKey: key,
    scope: { id: key.join() },
    mutationFn: save,
  });
  // Pending from here on, so that pending changes can be looked up while this one is shown.
  const saving = mutation.execute(variables);
  const revert = show?.();
  if (toast && show) showToast(toast);
  try {
    const reply = await saving;
    await saved?.(reply);
    if (toast && !show) showToast(toast);
  } catch (error) {
    console.error('A change failed', error);
    revert?.();
    if (toast) hideToast(toast);
    failed(error);
  }
}
