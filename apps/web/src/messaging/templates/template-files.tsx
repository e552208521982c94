import { Paperclip } from 'lucide-react';
import { useId, useRef } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ChosenFile } from '../../ui/form/chosen-file.tsx';
import type { FormFile } from './form-files.ts';

interface TemplateFilesProps {
  files: readonly FormFile[];
  /** The error to show for the files. */
  error: string | undefined;
  onChoose: (files: readonly File[]) => void;
  onRemove: (key: string) => void;
}

/** The files of a template. */
export function TemplateFiles({ files, error, onChoose, onRemove }: TemplateFilesProps) {
  const picker = useRef<HTMLInputElement>(null);
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col items-start gap-1.5">
      <span className="text-meta font-medium text-fg-2">{t('Files (optional)')}</span>
      {files.length > 0 && (
        <ul aria-label={t('Selected files')} className="flex flex-wrap gap-2">
          {files.map((file) => (
            <ChosenFile key={file.key} file={file} onRemove={() => onRemove(file.key)} />
          ))}
        </ul>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className="text-meta text-danger-text">
          {error}
        </p>
      )}
      <Button
        name="attachments"
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        onClick={() => picker.current?.click()}
        icon={<Paperclip />}
      >
        {t('Add Files')}
      </Button>
      <input
        ref={picker}
        type="file"
        multiple
        tabIndex={-1}
        aria-hidden="true"
        aria-label={t('Files')}
        className="hidden"
        onChange={({ currentTarget }) => {
          onChoose([...(currentTarget.files ?? [])]);
          // Without this reset, choosing a file again after removing it fires no change event.
          currentTarget.value = '';
        }}
      />
    </div>
  );
}
