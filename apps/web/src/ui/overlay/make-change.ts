import type { MutationKey, QueryClient } from '@tanstack/react-query';
import { hideToast, showToast, type Toast } from './toast.ts';

/** A change to make, and how the screen shows it. */
export interface Change<Reply> {
  /** What is changed. Changes with the same key are saved one after the other, in the order in which they were made. */
  key: MutationKey;
  /** The change as data, which other code finds in the mutation cache while it is pending. */
  variables?: unknown;
  /** Shows the change at once. Returns a function that reverts it, except where a newer change has replaced it. */
  show?: () => () => unknown;
  save: () => Promise<Reply>;
  /** Shows the server's reply. */
  saved?: (reply: Reply) => unknown;
  /** Shown at once if `show` is set, otherwise when the change is saved. */
  toast?: Toast | undefined;
  /** Reports a failure, after the change was reverted. */
  failed: (error: unknown) => void;
}

/** Makes a change. If saving fails, the change is reverted and its toast is hidden; a newer toast stays. */
export async function makeChange<Reply>(
  client: QueryClient,
  { key, variables, show, save, saved, toast, failed }: Change<Reply>,
): Promise<void> {
  const mutation = client.getMutationCache().build(client, {
    mutationKey: key,
    scope: { id: key.join() },
    mutationFn: save,
  });
  // Starts before `show`, so that `show` finds this change among the pending ones.
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
