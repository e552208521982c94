import { useFileDrop } from '@stagedoor/browser/use-file-drop';
import type { Folder } from '@stagedoor/contract/selling/products';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { showToast } from '../../ui/overlay/toast.ts';
import { BundleField } from './bundle-field.tsx';
import { ImageField } from './image-field.tsx';
import { ProductDialog } from './product-dialog.tsx';
import { ProductFields } from './product-fields.tsx';
import { differ, newTexts, objectionTo, readTexts, withoutErrors } from './product-form.ts';
import { addProduct } from './queries.ts';
import { useBundle } from './use-bundle.ts';
import type { CatalogueCache } from './use-catalogue.ts';
import { useProductForm } from './use-product-form.ts';

interface CreateProductProps {
  files: readonly File[];
  folders: readonly Folder[];
  /** The open folder, or null. */
  folderId: string | null;
  cache: CatalogueCache;
  onRefused: () => void;
  onClose: () => void;
}

/** The dialog to create a product. The input stays if creating fails. */
export function CreateProduct(props: CreateProductProps) {
  const { files, folders, folderId, cache, onRefused, onClose } = props;
  const [initial] = useState(() => newTexts(folderId));
  const [dropped] = files;
  const objection = dropped ? objectionTo(dropped) : null;
  const productForm = useProductForm(
    initial,
    onRefused,
    objection === null ? {} : { image: objection },
  );
  const { form, texts, errors, write, setErrors, object, refuse } = productForm;
  const [image, setImage] = useState(dropped && objection === null ? dropped : null);
  /** The uploaded fraction, from 0 to 1; null while nothing is being sent. */
  const [progress, setProgress] = useState<number | null>(null);
  const isSending = progress !== null;
  const {
    files: media,
    setFiles: setMedia,
    add,
  } = useBundle(
    // Not an error if the picture can't be the image, because the user can choose another image.
    (cover) => objectionTo(cover) === null && setImage((held) => held ?? cover),
  );
  const isDirty = image !== null || media.length > 0 || differ(texts, initial);
  const sending = useRef<AbortController | null>(null);
  useEffect(() => () => sending.current?.abort(), []);

  const addMedia = (chosen: readonly File[]) => {
    if (isSending) return;
    const why = add(chosen);
    setErrors((held) => ({
      ...withoutErrors(held, ['image', 'media', 'form']),
      ...(why !== null && { media: why }),
    }));
  };
  const chooseImage = ([file]: readonly File[]) => {
    if (file === undefined || isSending) return;
    const why = objectionTo(file);
    if (why === null) setImage(file);
    setErrors((held) => ({
      ...withoutErrors(held, ['image', 'form']),
      ...(why !== null && { image: why }),
    }));
  };
  /** Takes dropped or pasted files: a single picture becomes the product's image, anything else goes into the bundle. */
  const take = (given: readonly File[]) => {
    const isMedia = given.length > 1 || given.some(({ type }) => /^(video|audio)\//.test(type));
    return isMedia ? addMedia(given) : chooseImage(given);
  };
  const isFileOver = useFileDrop(form, isSending ? null : take);
  usePaste(take);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('input')?.focus();
  }, [form]);

  const create = async () => {
    const read = readTexts(texts);
    if (image === null || 'errors' in read) {
      return object({
        ...(image === null && { image: errors.image ?? t('Please select an image') }),
        ...('errors' in read && read.errors),
      });
    }
    const controller = new AbortController();
    sending.current = controller;
    setErrors({});
    setProgress(0);
    try {
      const { signal } = controller;
      const product = await addProduct(
        read.details,
        { image, media },
        { signal, onProgress: setProgress },
      );
      cache.putProduct(product);
      showToast({ text: t('Created “{title}”', { title: product.title }) });
      onClose();
    } catch (error) {
      if (controller.signal.aborted) return;
      setProgress(null);
      refuse(error, t('Failed to create product'));
      // The product may have been created although the response was lost, or its folder may have been deleted.
      void cache.refresh();
    }
  };
  return (
    <ProductDialog
      title={t('Create Product')}
      submitLabel={t('Create Product')}
      form={productForm}
      busy={progress ?? false}
      unsaved={isDirty ? t('The product hasn’t been created yet.') : null}
      onSubmit={() => void create()}
      onClose={onClose}
    >
      <ImageField
        image={image}
        onFiles={chooseImage}
        error={errors.image ?? null}
        isFileOver={isFileOver}
        isLocked={isSending}
      />
      <BundleField
        files={media}
        onChange={setMedia}
        onAdd={addMedia}
        error={errors.media ?? null}
        isLocked={isSending}
      />
      <ProductFields
        texts={texts}
        onChange={write}
        errors={errors}
        folders={folders}
        isLocked={isSending}
      />
    </ProductDialog>
  );
}

/** Handles files pasted anywhere on the page. */
function usePaste(onFiles: (files: readonly File[]) => void): void {
  const take = useEffectEvent(onFiles);
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      take(files);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, []);
}
