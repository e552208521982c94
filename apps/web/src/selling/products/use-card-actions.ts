import type { Folder, Product } from '@stagedoor/contract/selling/products';
import { useRef, useState } from 'react';
import { ApiError, errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { showToast } from '../../ui/overlay/toast.ts';
import { changeProduct, type QuickChange, revertProduct } from './cache.ts';
import { removeProduct, saveProduct } from './queries.ts';
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
  const [problem, setProblem] = useState<Problem | null>(null);
  const [leaving, setLeaving] = useState<ReadonlySet<string>>(new Set());
  /** Queues changes per product, so that the last one wins. */
  const turns = useRef(new Map<string, Promise<unknown>>());

  const fail = (text: string, product: Product, error: unknown, retry: () => void) => {
    console.error(text, error);
    const reason = errorText(error, '') || null;
    setProblem({ text, reason, product, retry });
    if (!(error instanceof ApiError)) return;
    if (error.code === 'permission_required') onRefused();
    if (error.status === 404) void cache.refresh();
  };

  const change = async (
    product: Product,
    wanted: QuickChange,
    failedText: string,
  ): Promise<boolean> => {
    setProblem(null);
    void cache.settle();
    cache.products((held) => changeProduct(held, product.id, wanted));
    const before = turns.current.get(product.id) ?? Promise.resolve();
    const turn = before.then(() => saveProduct(product.id, wanted));
    turns.current.set(
      product.id,
      turn.catch(() => undefined),
    );
    try {
      await turn;
      return true;
    } catch (error) {
      cache.products((held) => revertProduct(held, product, wanted));
      fail(failedText, product, error, () => void change(product, wanted, failedText));
      return false;
    }
  };

  const nameOf = (id: string) => folders.find((folder) => folder.id === id)?.name ?? t('a folder');

  const move = async (product: Product, folderId: string | null): Promise<void> => {
    const from = product.folder_id;
    if (from === folderId) return;
    const isMoved = await change(product, { folder_id: folderId }, t('Failed to move product'));
    if (!isMoved) return;
    const { title } = product;
    const moved = { ...product, folder_id: folderId };
    showToast({
      text:
        folderId === null
          ? t('Moved “{title}” out of “{folder}”', { title, folder: nameOf(from ?? '') })
          : t('Moved “{title}” to “{folder}”', { title, folder: nameOf(folderId) }),
      onUndo: () => void change(moved, { folder_id: from }, t('Failed to move product')),
    });
  };

  const setActive = (product: Product, isActive: boolean) =>
    void change(product, { is_active: isActive }, t('Failed to update product'));

  const remove = async (product: Product): Promise<void> => {
    setProblem(null);
    setLeaving((held) => new Set(held).add(product.id));
    try {
      await removeProduct(product.id);
      await cache.settle();
      cache.dropProduct(product.id);
      showToast({ text: t('Deleted “{title}”', { title: product.title }) });
    } catch (error) {
      fail(t('Failed to delete product'), product, error, () => void remove(product));
    } finally {
      setLeaving((held) => new Set([...held].filter((id) => id !== product.id)));
    }
  };

  return {
    move,
    setActive,
    remove,
    /** The ids of products being deleted. */
    leaving,
    problem,
    dismiss: () => setProblem(null),
  };
}
