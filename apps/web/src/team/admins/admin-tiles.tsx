import type { AdminRecord } from '@stagedoor/contract/team/admins';
import { formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { countAdmins } from './cache.ts';

export function AdminTiles({ admins }: { admins: readonly AdminRecord[] | undefined }) {
  const stats = admins && countAdmins(admins);
  return (
    <dl className="grid grid-cols-2 gap-3 md:grid-cols-4 lg:gap-4">
      <Tile label={t('Total Admins')} value={stats?.total} />
      <Tile label={t('Active', 'admins')} value={stats?.active} />
      <Tile label={t('Message Access')} value={stats?.messageAccess} />
      <Tile label={t('Inactive', 'admins')} value={stats?.inactive} />
    </dl>
  );
}

function Tile({ label, value }: { label: string; value: number | undefined }) {
  return (
    <div className="flex flex-col rounded-card border border-line bg-surface px-4 py-3">
      <dt className="truncate text-meta text-fg-3">{label}</dt>
      <dd className="mt-0.5 text-metric font-semibold tracking-tight tabular-nums">
        {value === undefined ? '–' : formatCount(value)}
      </dd>
    </div>
  );
}
