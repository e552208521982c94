import { initialOf } from '@stagedoor/browser/initial-of';
import { rich } from '@stagedoor/browser/rich-text';
import type { AdminRecord } from '@stagedoor/contract/team/admins';
import { Pencil, RotateCcw, Trash2 } from 'lucide-react';
import type { CSSProperties } from 'react';
import { exactTimeOf, relativeTime } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { useNow } from '../../lib/use-now.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';

/** An admin's email address, codename and color. */
export function Identity({ admin }: { admin: AdminRecord }) {
  const { email, codename, display_color, is_active } = admin;
  return (
    <div className="flex min-w-0 items-center gap-3">
      <span
        aria-hidden="true"
        className={classes(
          'inline-flex size-8 shrink-0 items-center justify-center rounded-full text-control font-semibold select-none',
          is_active ? 'tinted' : 'bg-surface-2 text-fg-3',
        )}
        style={{ '--t': display_color } as CSSProperties}
      >
        {initialOf(codename)}
      </span>
      <span className="flex min-w-0 flex-col">
        <span
          title={email}
          className={classes('truncate font-medium', is_active ? 'text-fg' : 'text-fg-3')}
        >
          {email}
        </span>
        <span className="flex min-w-0 items-center gap-1.5 text-meta text-fg-3">
          <span
            aria-hidden="true"
            className={classes('size-2 shrink-0 rounded-full bg-own', !is_active && 'opacity-40')}
            style={{ '--t': display_color } as CSSProperties}
          />
          <span className="truncate">{codename}</span>
        </span>
      </span>
    </div>
  );
}

interface StatusProps {
  admin: AdminRecord;
  /** Whether everything is in one line instead of two. */
  isLine?: boolean;
}

/** Whether an admin is active, and when they were last online. */
export function Status({ admin, isLine = false }: StatusProps) {
  const now = useNow();
  const { is_active, last_active_at } = admin;
  return (
    <span
      className={
        isLine
          ? 'flex flex-wrap items-baseline justify-between gap-x-3'
          : 'flex flex-col items-start'
      }
    >
      <span
        className={classes(
          'inline-flex items-center gap-1.5 text-control',
          is_active ? 'text-good' : 'text-fg-3',
        )}
      >
        <span
          aria-hidden="true"
          className={classes(
            'size-1.5 rounded-full',
            is_active ? 'bg-good' : 'border border-control',
          )}
        />
        {is_active ? t('Active', 'admin') : t('Inactive', 'admin')}
      </span>
      <span className="text-meta text-fg-3">
        {last_active_at === null
          ? t('Never signed in')
          : rich('Last active: {when}', {
              when: (
                <time dateTime={last_active_at} title={exactTimeOf(last_active_at)}>
                  {relativeTime(last_active_at, now)}
                </time>
              ),
            })}
      </span>
    </span>
  );
}

interface ActionsProps {
  admin: AdminRecord;
  isSelf: boolean;
  canChange: boolean;
  onEdit: (admin: AdminRecord) => void;
  onRemove: (admin: AdminRecord) => void;
  onInviteBack: (admin: AdminRecord) => void;
}

const icon = { size: 14, className: 'max-xl:hidden' };

export function Actions(props: ActionsProps) {
  const { admin, isSelf, canChange, onEdit, onRemove, onInviteBack } = props;
  if (!canChange) return <span className="text-meta text-fg-3">{t('Above your role')}</span>;
  if (!admin.is_active) {
    return (
      <Button
        size="small"
        onClick={() => onInviteBack(admin)}
        aria-label={t('Invite Back {email}', { email: admin.email })}
        icon={<RotateCcw {...icon} />}
      >
        {t('Invite Back')}
      </Button>
    );
  }
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-1">
      <Button
        variant="ghost"
        size="small"
        onClick={() => onEdit(admin)}
        aria-label={t('Edit {email}', { email: admin.email })}
        icon={<Pencil {...icon} />}
      >
        {t('Edit')}
      </Button>
      {isSelf ? (
        <span className="inline-flex justify-end pe-2 xl:min-w-[84px]">
          <Badge>{t('You')}</Badge>
        </span>
      ) : (
        <Button
          variant="ghost"
          size="small"
          onClick={() => onRemove(admin)}
          aria-label={t('Remove {email}', { email: admin.email })}
          icon={<Trash2 {...icon} />}
          className="xl:min-w-[84px] hover:bg-flagged! hover:text-danger-text!"
        >
          {t('Remove')}
        </Button>
      )}
    </span>
  );
}
