import { rich } from '@stagedoor/browser/rich-text';
import type { PlatformKey } from '@stagedoor/contract/platform/platform-keys';
import { DESKTOP_QUERY, useMediaQuery } from '../../lib/media-query.ts';
import { exactTimeOf, relativeTime } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { useNow } from '../../lib/use-now.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { ColumnHeads } from '../../ui/column-heads.tsx';
import { Dot } from '../../ui/dot.tsx';

interface KeyListProps {
  label: string;
  keys: readonly PlatformKey[];
  onRevoke?: (key: PlatformKey) => void;
  revokingId?: string | null;
  isRevoked?: boolean;
}

type RowProps = Pick<KeyListProps, 'onRevoke' | 'revokingId' | 'isRevoked'> & {
  platformKey: PlatformKey;
};

/** Keys as a table on desktop, otherwise as cards. */
export function KeyList({ label, keys, ...row }: KeyListProps) {
  const isTable = useMediaQuery(DESKTOP_QUERY);
  const { isRevoked = false } = row;
  if (!isTable) {
    return (
      <ul
        aria-label={label}
        className="grid grid-cols-[minmax(0,1fr)] gap-3 px-4 pb-4 md:grid-cols-2"
      >
        {keys.map((key) => (
          <KeyCard key={key.id} platformKey={key} {...row} />
        ))}
      </ul>
    );
  }
  const columns = [
    t('Name'),
    t('Key'),
    t('Created'),
    t('Last used'),
    isRevoked ? t('Revoked') : t('Actions'),
  ];
  return (
    <table aria-label={label} className="w-full table-fixed border-collapse text-control">
      <colgroup>
        <col />
        <col className="w-[110px]" />
        <col className="w-[230px]" />
        <col className="w-[140px]" />
        <col className="w-[130px]" />
      </colgroup>
      <thead className={isRevoked ? 'sr-only' : undefined}>
        <ColumnHeads columns={columns} />
      </thead>
      <tbody>
        {keys.map((key) => (
          <KeyRow key={key.id} platformKey={key} {...row} />
        ))}
      </tbody>
    </table>
  );
}

function KeyRow({ platformKey: key, ...row }: RowProps) {
  return (
    <tr
      className={classes(
        'h-11 border-b border-line last:border-b-0',
        row.isRevoked ? 'bg-bg text-fg-3' : 'hover:bg-bg',
      )}
    >
      <th scope="row" className="px-4 py-1.5">
        <KeyName platformKey={key} />
      </th>
      <td className="px-3 py-1.5">
        <Hint hint={key.hint} />
      </td>
      <td className="truncate px-3 py-1.5">
        <Made platformKey={key} />
      </td>
      <td className="px-3 py-1.5">
        <LastUsed at={key.last_used_at} />
      </td>
      <td className="py-1.5 pe-4 ps-3 text-end">
        <KeyEnd platformKey={key} {...row} />
      </td>
    </tr>
  );
}

function KeyCard({ platformKey: key, ...row }: RowProps) {
  return (
    <li
      className={classes(
        'flex flex-col gap-1.5 rounded-card border border-line p-3',
        row.isRevoked && 'bg-bg text-fg-3',
      )}
    >
      <div className="flex items-baseline justify-between gap-3">
        <KeyName platformKey={key} />
        <Hint hint={key.hint} />
      </div>
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 text-meta">
        <Made platformKey={key} />
      </div>
      <div className="flex min-h-7 items-center justify-between gap-3 text-meta">
        <span>{rich('Last used: {when}', { when: <LastUsed at={key.last_used_at} /> })}</span>
        <KeyEnd platformKey={key} {...row} />
      </div>
    </li>
  );
}

function KeyName({ platformKey: { name, scope } }: RowProps) {
  return (
    <span className="flex min-w-0 items-baseline gap-2">
      <span className="truncate font-medium" title={name}>
        {name}
      </span>
      {scope === 'payroll' && <Badge>{t('Pay periods only')}</Badge>}
    </span>
  );
}

function Hint({ hint }: { hint: string }) {
  return (
    <code dir="ltr" className="shrink-0 font-mono text-meta text-fg-3">
      <span className="sr-only">{t('ends in')} </span>
      <span aria-hidden="true">…</span>
      {hint}
    </code>
  );
}

function Made({ platformKey: { created_by: maker, created_at: at } }: RowProps) {
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5">
      {maker && (
        <>
          <Dot color={maker.display_color} />
          <span className="truncate">{maker.codename}</span>
          <span aria-hidden="true" className="text-fg-3">
            ·
          </span>
        </>
      )}
      <Time at={at} />
    </span>
  );
}

function LastUsed({ at }: { at: string | null }) {
  return at === null ? <span className="text-fg-3">{t('Never')}</span> : <Time at={at} />;
}

function Time({ at }: { at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={exactTimeOf(at)} className="whitespace-nowrap">
      {relativeTime(at, now)}
    </time>
  );
}

function KeyEnd({ platformKey: key, onRevoke, revokingId }: RowProps) {
  if (key.revoked_at !== null) {
    return (
      <span className="text-meta">
        {rich('Revoked {when}', { when: <Time at={key.revoked_at} /> })}
      </span>
    );
  }
  return (
    <Button
      variant="ghost"
      size="small"
      busy={revokingId === key.id}
      onClick={() => onRevoke?.(key)}
      aria-label={t('Revoke {name}', { name: key.name })}
      className="-me-2 text-danger-text! hover:bg-flagged!"
    >
      {t('Revoke')}
    </Button>
  );
}
