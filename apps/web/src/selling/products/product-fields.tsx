import { DESCRIPTION_MAX_CHARS, type Folder } from '@stagedoor/contract/selling/products';
import { useId } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { PRICE_INPUT } from '../../lib/text/price.ts';
import { FieldError } from '../../ui/form/field-error.tsx';
import { SelectField } from '../../ui/form/select-field.tsx';
import { TextAreaField, TextField } from '../../ui/form/text-field.tsx';
import type { FormErrors, ProductTexts } from './product-form.ts';

const TITLE_MAX_CHARS = 200;

interface ProductFieldsProps {
  texts: ProductTexts;
  onChange: (change: Partial<ProductTexts>) => void;
  errors: FormErrors;
  folders: readonly Folder[];
  isLocked: boolean;
}

/** The fields for a product's title, description, price and folder. */
export function ProductFields(props: ProductFieldsProps) {
  const { texts, onChange, errors, folders, isLocked } = props;
  const folderErrorId = useId();
  return (
    <div className="flex flex-col gap-4">
      <TextField
        label={t('Title')}
        name="title"
        autoComplete="off"
        aria-required="true"
        maxLength={TITLE_MAX_CHARS}
        value={texts.title}
        readOnly={isLocked}
        error={errors.title ?? null}
        onChange={(event) => onChange({ title: event.target.value })}
      />
      <div>
        <TextAreaField
          label={t('Description (optional)')}
          name="description"
          rows={3}
          maxLength={DESCRIPTION_MAX_CHARS}
          value={texts.description}
          readOnly={isLocked}
          onChange={(event) => onChange({ description: event.target.value })}
        />
        {errors.description !== undefined && (
          <p role="alert" className="mt-1 text-meta text-danger-text">
            {errors.description}
          </p>
        )}
      </div>
      <div className="grid grid-cols-[minmax(0,140px)_minmax(0,1fr)] items-start gap-3">
        <TextField
          label={t('Price (USD)')}
          name="price"
          {...PRICE_INPUT}
          aria-required="true"
          value={texts.price}
          readOnly={isLocked}
          error={errors.price ?? null}
          onChange={(event) => onChange({ price: event.target.value })}
        />
        <div className="flex flex-col gap-1">
          <SelectField
            label={t('Folder (optional)')}
            name="folder_id"
            value={texts.folderId}
            disabled={isLocked}
            aria-invalid={errors.folder_id === undefined ? undefined : true}
            aria-describedby={errors.folder_id === undefined ? undefined : folderErrorId}
            onChange={(event) => onChange({ folderId: event.target.value })}
          >
            <option value="">{t('No folder')}</option>
            {folders.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
          {errors.folder_id !== undefined && (
            <FieldError id={folderErrorId}>{errors.folder_id}</FieldError>
          )}
        </div>
      </div>
    </div>
  );
}
