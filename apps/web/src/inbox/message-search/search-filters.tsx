import { useQuery } from '@tanstack/react-query';
import { globalTagsOptions } from '../../fans/tags/queries.ts';
import { t } from '../../lib/text/i18n.ts';
import { DateField } from '../../ui/form/date-field.tsx';
import { SelectField } from '../../ui/form/select-field.tsx';
import type { MessageSearch } from './queries.ts';

interface SearchFiltersProps {
  search: MessageSearch;
  onChange: (part: Partial<MessageSearch>) => void;
  /** The fan of the open conversation, to whom the search can be limited. */
  openFan: MessageSearch['fan'];
}

/** The filters of a search: author, tag, fan, dates and attachments. */
export function SearchFilters({ search, onChange, openFan }: SearchFiltersProps) {
  const { data: tags = [] } = useQuery(globalTagsOptions);
  const { fan } = search;
  return (
    <div className="grid grid-cols-2 gap-3 md:grid-cols-3">
      <SelectField
        label={t('Written by')}
        value={search.from}
        onChange={({ target }) => onChange({ from: target.value as MessageSearch['from'] })}
      >
        <option value="">{t('Anyone')}</option>
        <option value="fan">{t('Fans')}</option>
        <option value="creator">{t('Creator')}</option>
      </SelectField>
      <SelectField
        label={t('Tag')}
        value={search.tag}
        onChange={({ target }) => onChange({ tag: target.value })}
      >
        <option value="">{t('Any')}</option>
        {tags.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t('Attachments')}
        value={search.attachment}
        onChange={({ target }) =>
          onChange({ attachment: target.value as MessageSearch['attachment'] })
        }
      >
        <option value="">{t('With or without')}</option>
        <option value="true">{t('With attachments')}</option>
        <option value="false">{t('Without attachments')}</option>
      </SelectField>
      <DateField
        label={t('From')}
        value={search.firstDay}
        max={search.lastDay}
        onChange={(firstDay) => onChange({ firstDay })}
      />
      <DateField
        label={t('To')}
        value={search.lastDay}
        min={search.firstDay}
        onChange={(lastDay) => onChange({ lastDay })}
      />
      {(openFan ?? fan) && (
        <SelectField
          label={t('Fan')}
          value={fan?.id ?? ''}
          onChange={({ target }) =>
            onChange({ fan: target.value === '' ? null : (openFan ?? fan) })
          }
        >
          <option value="">{t('All fans')}</option>
          <option value={(openFan ?? fan)?.id}>{(openFan ?? fan)?.name}</option>
        </SelectField>
      )}
    </div>
  );
}
