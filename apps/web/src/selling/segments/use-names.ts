import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { globalTagsOptions } from '../../fans/tags/queries.ts';
import { t } from '../../lib/text/i18n.ts';
import { productsOptions } from '../products/queries.ts';
import type { Names } from './fields.ts';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Returns functions that look up the names of tags and products in conditions: '…' while the names load. */
export function useNames(): Names {
  const { data: tags } = useQuery(globalTagsOptions);
  const { data: products } = useQuery(productsOptions);
  return useMemo(() => {
    const tagLabels = new Map(tags?.map(({ id, label }) => [id, label]));
    const titles = new Map(products?.map(({ id, title }) => [id, title]));
    return {
      tag: (tag) =>
        tagLabels.get(tag) ?? (UUID.test(tag) ? unknown(tags, t('a deleted tag')) : tag),
      product: (id) => titles.get(id) ?? unknown(products, t('a deleted product')),
    };
  }, [tags, products]);
}

const unknown = (loaded: unknown, text: string) => (loaded === undefined ? '…' : text);
