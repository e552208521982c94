import { bundleOf } from '@stagedoor/browser/bundles';
import type { Folder, Product } from '@stagedoor/contract/selling/products';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { FINE_POINTER_QUERY, useMediaQuery } from '../../lib/media-query.ts';
import { ApiError } from '../../lib/server/api.ts';
import { formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { Picture } from '../../ui/picture.tsx';
import { BundleList } from './bundle-list.tsx';
import { typeName } from './product-card.tsx';
import { ProductDialog } from './product-dialog.tsx';
import { ProductFields } from './product-fields.tsx';
import { differ, readTexts, textsOf } from './product-form.ts';
import { type ProductDetails, saveProduct } from './queries.ts';
import type { CatalogueCache } from './use-catalogue.ts';
import { useProductForm } from './use-product-form.ts';

interface EditProductProps {
  product: Product;
  folders: readonly Folder[];
  cache: CatalogueCache;
  onRefused: () => void;
  onClose: () => void;
}

/** The dialog to edit a product, except for its picture. */
export function EditProduct({ product, folders, cache, onRefused, onClose }: EditProductProps) {
  const [initial] = useState(() => textsOf(product));
  const productForm = useProductForm(initial, onRefused);
  const { form, texts, errors, write, setErrors, object, refuse } = productForm;
  const [listed] = useState(() => listedFiles(product));
  const [files, setFiles] = useState(listed);
  const isDirty = files !== listed || differ(texts, initial);
  const isMouse = useMediaQuery(FINE_POINTER_QUERY);
  useEffect(() => {
    // On touch devices the on-screen keyboard would cover the form.
    if (isMouse) form.current?.querySelector<HTMLElement>('input')?.focus();
  }, [form, isMouse]);

  const saving = useMutation({
    mutationFn: async (details: Partial<ProductDetails>) => {
      const saved = await saveProduct(product.id, {
        ...details,
        ...(files !== listed && { media: files.map(({ id, free }) => ({ id, free })) }),
      });
      cache.putProduct(saved);
    },
    onError: (error) => {
      refuse(error, t('Failed to update product'));
      if (error instanceof ApiError && error.status === 404) void cache.refresh();
    },
  });
  const save = () => {
    const read = readTexts(texts);
    if ('errors' in read) return object(read.errors);
    setErrors({});
    const { details } = read;
    // A teammate may have changed the other fields in the meantime.
    const changed = (Object.keys(details) as (keyof ProductDetails)[]).filter(
      (field) => details[field] !== product[field],
    );
    const part = Object.fromEntries(changed.map((field) => [field, details[field]]));
    saving.mutate(part as Partial<ProductDetails>, { onSuccess: onClose });
  };
  return (
    <ProductDialog
      title={t('Edit Product')}
      submitLabel={t('Save Changes')}
      form={productForm}
      busy={saving.isPending}
      unsaved={
        isDirty ? t('Your changes to “{title}” aren’t saved.', { title: product.title }) : null
      }
      onSubmit={save}
      onClose={onClose}
    >
      <div className="flex items-center gap-3.5">
        <Picture
          url={product.thumbnail_url ?? product.image_url}
          refresh={cache.refresh}
          className="aspect-4/3 w-32 shrink-0 rounded-control border border-line"
        />
        <div className="min-w-0 text-meta text-fg-2">
          <p>{`${typeName(product)} · ${product.is_active ? t('Active', 'product') : t('Inactive', 'product')}`}</p>
          <p className="tabular-nums">
            {t('Sent {sent} · Bought {bought}', {
              sent: formatCount(product.times_sent),
              bought: formatCount(product.times_purchased),
            })}
          </p>
          <p className="mt-1.5 text-balance text-fg-3">
            {files.length > 0
              ? t('The files can’t be changed. Sent messages keep their order and price.')
              : t('The image can’t be changed. Sent messages keep their price.')}
          </p>
        </div>
      </div>
      {files.length > 0 && (
        <BundleList
          files={files}
          onChange={setFiles}
          canRemove={false}
          isLocked={saving.isPending}
        />
      )}
      <ProductFields
        texts={texts}
        onChange={write}
        errors={errors}
        folders={folders}
        isLocked={saving.isPending}
      />
    </ProductDialog>
  );
}

/** Returns a product's files for its form; none if its image is its only file. */
function listedFiles({ id: product_id, media }: Product) {
  const nameOf = { image: t('Photo'), video: t('Video'), audio: t('Audio') };
  return bundleOf({ product_id, media }).map(
    ({ id, type, preview_url, duration, free }, index) => ({
      id,
      name: t('{name} {place}', { name: nameOf[type], place: index + 1 }),
      type,
      picture: preview_url,
      duration: duration ?? null,
      free,
    }),
  );
}
