import { deleteProduct, type Folder, type Product } from '@stagedoor/contract/selling/products';
import { useMutationState, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ApiError, call, errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { makeChange } from '../../ui/overlay/make-change.ts';
import type { Toast } from '../../ui/overlay/toast.ts';
import { changeProduct, type PendingChange, type QuickChange, revertProduct } from './cache.ts';
import { saveProduct } from './queries.ts';
import type { CatalogueCache } from './use-catalogue.ts';

/** A failed card action, shown until the next action or until it is dismissed. */
export interface Problem {
  text: string;
  /** The server's explanation, if there is one. */
  reason: string | null;
  product: Product;
  retry: () => void;
}

interface CardActionsInput {
  cache: CatalogueCache;
  folders: readonly Folder[];
  /** Called if the server denies this admin the action. */
  onRefused: () => void;
}

/** Returns the product actions that need no form. Changes show at once and are reverted on failure. */
export function useCardActions({ cache, folders, onRefused }: CardActionsInput) {
  const client = useQueryClient();
  const [problem, setProblem] = useState<Problem | null>(null);
  const pending = useMutationState({
    filters: { mutationKey: ['product'], status: 'pending' },
    select: ({ state }) => state.variables as PendingChange,
  });
  const leaving = useMemo(
    () => new Set(pending.filter(({ changes }) => !changes).map(({ id }) => id)),
    [pending],
  );
  const fail = (text: string, product: Product, error: unknown, retry: () => void) => {
    const reason = errorText(error, '') || null;
    setProblem({ text, reason, product, retry });
    if (!(error instanceof ApiError)) return;
    if (error.code === 'permission_required') onRefused();
    if (error.status === 404) void cache.refresh();
  };

  const change = (product: Product, wanted: QuickChange, failedText: string, toast?: Toast) => {
    setProblem(null);
    void makeChange(client, {
      key: ['product', product.id],
      variables: { id: product.id, changes: wanted } satisfies PendingChange,
      show: () => {
        cache.products((held) => changeProduct(held, product.id, wanted));
        return () => cache.products((held) => revertProduct(held, product, wanted));
      },
      save: () => saveProduct(product.id, wanted),
      saved: cache.putProduct,
      toast,
      failed: (error) =>
        fail(failedText, product, error, () => change(product, wanted, failedText, toast)),
    });
  };

  const nameOf = (id: string) => folders.find((folder) => folder.id === id)?.name ?? t('a folder');

  const move = (product: Product, folderId: string | null) => {
    const from = product.folder_id;
    if (from === folderId) return;
    const { title } = product;
    const failed = t('Failed to move product');
    change(product, { folder_id: folderId }, failed, {
      text:
        folderId === null
          ? t('Moved “{title}” out of “{folder}”', { title, folder: nameOf(from ?? '') })
          : t('Moved “{title}” to “{folder}”', { title, folder: nameOf(folderId) }),
      onUndo: () => change({ ...product, folder_id: folderId }, { folder_id: from }, failed),
    });
  };

  const setActive = (product: Product, isActive: boolean) =>
    change(product, { is_active: isActive }, t('Failed to update product'));

  const remove = (product: Product): Promise<void> => {
    setProblem(null);
    return makeChange(client, {
      key: ['product', product.id],
      variables: { id: product.id } satisfies PendingChange,
      save: async () => {
        await call(deleteProduct, { params: { id: product.id } });
        cache.dropProduct(product.id);
      },
      toast: { text: t('Deleted “{title}”', { title: product.title }) },
      failed: (error) =>
        fail(t('Failed to delete product'), product, error, () => void remove(product)),
    });
  };

  return {
    move,
    setActive,
    remove,
    leaving,
    problem,
    dismiss: () => setProblem(null),
  };
}
