import { exportAudit } from '@stagedoor/contract/team/audit';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useRef } from 'react';
import { saveCsv } from '../../lib/save-csv.ts';
import { call, errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { DateField } from '../../ui/form/date-field.tsx';
import { SelectField } from '../../ui/form/select-field.tsx';
import { adminsOptions } from '../admins/queries.ts';
import { type AuditFilter, isFiltering, NO_FILTER, queryOf } from './filter.ts';
import { actionLabel } from './sentence.ts';

interface AuditFiltersProps {
  filter: AuditFilter;
  onChange: (filter: AuditFilter) => void;
  /** Every action that occurs in the log. */
  actions: readonly string[];
}

/** Filters the log by admin, action and date, and exports the result. */
export function AuditFilters({ filter, onChange, actions }: AuditFiltersProps) {
  const fields = useRef<HTMLDivElement>(null);
  const { data: admins = [] } = useQuery(adminsOptions);
  const download = useMutation({
    mutationFn: async () => {
      const csv = await call(exportAudit, { query: queryOf(filter) });
      saveCsv(`audit-log-${new Date().toISOString().slice(0, 10)}`, csv);
    },
  });
  const set = (part: Partial<AuditFilter>) => onChange({ ...filter, ...part });
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="me-auto text-title font-semibold tracking-tight">{t('Audit Log')}</h2>
        {isFiltering(filter) && (
          <Button
            variant="ghost"
            onClick={() => {
              onChange(NO_FILTER);
              // The focused button is removed.
              fields.current?.querySelector('select')?.focus();
            }}
          >
            {t('Clear Filters')}
          </Button>
        )}
        <Button busy={download.isPending} onClick={() => download.mutate()} icon={<Download />}>
          {t('Export CSV')}
        </Button>
      </div>
      <div
        ref={fields}
        className="grid grid-cols-2 gap-3 max-[20rem]:grid-cols-1 md:grid-cols-[repeat(4,minmax(0,1fr))]"
      >
        <SelectField
          label={t('Admin')}
          value={filter.adminId}
          onChange={({ target }) => set({ adminId: target.value })}
        >
          <option value="">{t('Everyone')}</option>
          {admins.map(({ id, email, codename }) => (
            <option key={id} value={id}>
              {codename} ({email})
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t('Action')}
          value={filter.action}
          onChange={({ target }) => set({ action: target.value })}
        >
          <option value="">{t('Everything')}</option>
          {actions.map((action) => (
            <option key={action} value={action}>
              {actionLabel(action)}
            </option>
          ))}
        </SelectField>
        <DateField
          label={t('From')}
          value={filter.firstDay}
          max={filter.lastDay}
          onChange={(firstDay) => set({ firstDay })}
        />
        <DateField
          label={t('To')}
          value={filter.lastDay}
          min={filter.firstDay}
          onChange={(lastDay) => set({ lastDay })}
        />
      </div>
      {download.error && (
        <ErrorBox text={errorText(download.error, t('Couldn’t export the audit log'))} />
      )}
    </div>
  );
}
