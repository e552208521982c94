import {
  type MutationKey,
  type UseMutationOptions,
  useMutation,
  useMutationState,
} from '@tanstack/react-query';
import { useState } from 'react';

/**
 * Returns a mutation whose calls run one after the other, with the variables of all pending calls and the latest error. Making
 * another call clears the error.
 */
export function useQueuedMutation<Reply, Variables>(
  mutationKey: MutationKey,
  options: UseMutationOptions<Reply, Error, Variables>,
) {
  // The mutation itself only has the variables and the error of the last call.
  const [error, setError] = useState<Error | null>(null);
  const mutation = useMutation({
    ...options,
    mutationKey,
    scope: { id: mutationKey.join() },
    onMutate: () => setError(null),
    onError: (...args) => {
      setError(args[0]);
      return options.onError?.(...args);
    },
  });
  const pending = useMutationState({
    filters: { mutationKey, status: 'pending' },
    select: ({ state }) => state.variables as Variables,
  });
  return { ...mutation, pending, error };
}
