import { BUNDLE_FILES_MAX } from '@stagedoor/contract/media';
import { Files } from 'lucide-react';
import { useId } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { FieldError } from '../../ui/form/field-error.tsx';
import { BundleList } from './bundle-list.tsx';
import type { ChosenMedia } from './use-bundle.ts';

interface BundleFieldProps {
  files: ChosenMedia[];
  onChange: (files: ChosenMedia[]) => void;
  onAdd: (files: readonly File[]) => void;
  error: string | null;
  isLocked: boolean;
}

/** The field for the files of a new product. Without files, the product's image is sold. */
export function BundleField({ files, onChange, onAdd, error, isLocked }: BundleFieldProps) {
  const errorId = useId();
  const hintId = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <p id={hintId} className="text-meta text-fg-2">
        {files.length === 0
          ? t('Add pictures, videos or audio to sell them under this image.')
          : t('The image above is the cover. Fans see free files before buying.')}
      </p>
      {files.length > 0 && (
        <BundleList files={files} onChange={onChange} canRemove isLocked={isLocked} />
      )}
      {files.length < BUNDLE_FILES_MAX && (
        <label
          className={classes(
            'relative flex h-10 items-center justify-center gap-2 rounded-control border border-dashed text-control font-medium coarse:h-11',
            'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text',
            error === null ? 'border-control' : 'border-danger',
            !isLocked && 'cursor-pointer hover:bg-hover',
          )}
        >
          <Files className="text-fg-3" />
          {t('Add Files')}
          <input
            type="file"
            name="media"
            multiple
            accept="image/*,video/*,audio/*"
            disabled={isLocked}
            aria-invalid={error === null ? undefined : true}
            aria-describedby={error === null ? hintId : `${errorId} ${hintId}`}
            onChange={(event) => {
              onAdd([...(event.target.files ?? [])]);
              // Without this reset, choosing the same files again fires no change event.
              event.target.value = '';
            }}
            className="absolute inset-0 size-full cursor-pointer opacity-0 outline-none"
          />
        </label>
      )}
      {error !== null && <FieldError id={errorId}>{error}</FieldError>}
    </div>
  );
}
