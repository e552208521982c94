import { formatBytes } from '@stagedoor/browser/format';
import { ImageOff, ImagePlus, LockKeyhole } from 'lucide-react';
import { type ReactNode, useCallback, useId, useState } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { FieldError } from '../../ui/form/field-error.tsx';

interface ImageFieldProps {
  image: File | null;
  onFiles: (files: readonly File[]) => void;
  error: string | null;
  isFileOver: boolean;
  isLocked: boolean;
}

/** The picture field with previews of the locked and unlocked product. */
export function ImageField({ image, onFiles, error, isFileOver, isLocked }: ImageFieldProps) {
  const errorId = useId();
  const hintId = useId();
  return (
    <div className="flex flex-col gap-1">
      <label
        className={classes(
          'relative block overflow-hidden rounded-card border text-control transition-colors duration-80',
          'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text',
          image === null && 'border-dashed hover:bg-hover',
          error !== null ? 'border-danger' : image === null ? 'border-control' : 'border-line',
          isFileOver && 'border-accent-text bg-selected',
          !isLocked && 'cursor-pointer',
        )}
      >
        <span className="sr-only">{t('Image')}</span>
        <input
          type="file"
          accept="image/*"
          name="image"
          disabled={isLocked}
          aria-invalid={error === null ? undefined : true}
          aria-describedby={error === null ? hintId : `${errorId} ${hintId}`}
          onChange={(event) => {
            onFiles([...(event.target.files ?? [])]);
            // Without this reset, choosing the same file again fires no change event.
            event.target.value = '';
          }}
          className="absolute inset-0 size-full cursor-pointer opacity-0 outline-none"
        />
        {image === null ? (
          <span className="flex min-h-36 flex-col items-center justify-center gap-1 p-4 text-center">
            <ImagePlus size={22} className="mb-1 text-fg-3" />
            <span className="font-medium">
              {isFileOver ? t('Drop it here') : t('Choose a picture, drop it here or paste it')}
            </span>
            <span id={hintId} className="text-meta text-fg-3">
              {t('JPEG, PNG, WebP, GIF or AVIF, under 10 MB')}
            </span>
          </span>
        ) : (
          <>
            <Previews key={keyOf(image)} image={image} />
            <span
              id={hintId}
              className="flex items-center gap-2 border-t border-line px-3 py-2 text-meta text-fg-2"
            >
              <span className="truncate">{image.name}</span>
              <span className="shrink-0 text-fg-3 tabular-nums">{formatBytes(image.size)}</span>
              {!isLocked && (
                <span className="ms-auto shrink-0 font-medium text-accent-text">{t('Change')}</span>
              )}
            </span>
          </>
        )}
      </label>
      {error !== null && <FieldError id={errorId}>{error}</FieldError>}
    </div>
  );
}

const keyOf = ({ name, size, lastModified }: File) => `${name} ${size} ${lastModified}`;

/**
 * Shows a file in an image element.
 * @returns a function that releases the object URL
 */
function showFile(element: HTMLImageElement, file: File): () => void {
  const url = URL.createObjectURL(file);
  element.src = url;
  return () => URL.revokeObjectURL(url);
}

function Previews({ image }: { image: File }) {
  const [isUnreadable, setUnreadable] = useState(false);
  const show = useCallback((element: HTMLImageElement) => showFile(element, image), [image]);
  if (isUnreadable) {
    return (
      <span className="flex h-36 flex-col items-center justify-center gap-1.5 text-meta text-fg-2">
        <ImageOff size={20} />
        {t('No preview available')}
      </span>
    );
  }
  const picture = (className: string) => (
    <img
      ref={show}
      alt=""
      draggable={false}
      onError={() => setUnreadable(true)}
      className={classes('size-full object-cover', className)}
    />
  );
  return (
    <span className="grid grid-cols-2 gap-px bg-(--border)">
      <Preview caption={t('After purchase')}>{picture('')}</Preview>
      <Preview caption={t('Locked, as fans first see it')}>
        {picture('scale-115 blur-[9px]')}
        <span className="absolute inset-0 flex items-center justify-center">
          <span className="flex size-10 items-center justify-center rounded-full bg-[#000a] text-white">
            <LockKeyhole size={18} />
          </span>
        </span>
      </Preview>
    </span>
  );
}

function Preview({ caption, children }: { caption: string; children: ReactNode }) {
  return (
    <span className="flex min-w-0 flex-col bg-surface">
      <span className="relative block aspect-4/3 overflow-hidden bg-surface-2">{children}</span>
      <span className="truncate px-3 pt-1.5 pb-1 text-meta text-fg-3">{caption}</span>
    </span>
  );
}
