import { type MutationKey, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useQueuedMutation } from '../../lib/server/use-queued-mutation.ts';
import { hideProblem, showProblem } from './toast.ts';

interface SaveOptions<Value> {
  /** What is saved. */
  key: MutationKey;
  save: (value: Value) => Promise<void>;
  /** Returns the text for a failure while the form is hidden or closed. */
  textOf: (error: unknown) => string;
}

/**
 * Saves a form's whole value on each change, in order, so that the last one wins. `pending` is the value being saved, even after
 * the form was closed and reopened. While `root` is hidden or closed, failures appear as problems.
 */
export function useSave<Value>({ key, save, textOf }: SaveOptions<Value>) {
  const client = useQueryClient();
  const root = useRef<HTMLDivElement>(null);
  const id = key.join();
  const saving = useQueuedMutation<void, Value>(key, {
    mutationFn: save,
    onError: (error, value) => {
      console.error('Saving failed', error);
      // A newer save includes this value.
      if (root.current?.checkVisibility() || client.isMutating({ mutationKey: key }) > 1) return;
      showProblem({ key: id, text: textOf(error), onRetry: () => change(value) });
    },
  });
  function change(value: Value): void {
    hideProblem(id);
    saving.mutate(value);
  }
  return { root, saving, change, pending: saving.pending.at(-1) };
}
