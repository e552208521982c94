import type { ComponentProps } from 'react';
import { t } from '../../lib/text/i18n.ts';

interface FilePickerProps extends Pick<ComponentProps<'input'>, 'ref' | 'multiple' | 'accept'> {
  onFiles: (files: File[]) => void;
}

/** A hidden file input, which a button opens by clicking its ref. */
export function FilePicker({ onFiles, ...props }: FilePickerProps) {
  return (
    <input
      {...props}
      type="file"
      tabIndex={-1}
      aria-hidden="true"
      aria-label={t('Files')}
      className="hidden"
      onChange={({ currentTarget }) => {
        onFiles([...(currentTarget.files ?? [])]);
        // Without this reset, choosing a file again after removing it fires no change event.
        currentTarget.value = '';
      }}
    />
  );
}
