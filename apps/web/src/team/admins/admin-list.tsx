import { type AdminRecord, updateAdminPermissions } from '@stagedoor/contract/team/admins';
import { useMutation } from '@tanstack/react-query';
import { memo, startTransition, useEffect, useState } from 'react';
import { DESKTOP_QUERY, useMediaQuery } from '../../lib/media-query.ts';
import { call, errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { ColumnHeads } from '../../ui/column-heads.tsx';
import { Switch } from '../../ui/form/switch.tsx';
import { Actions, Identity, Status } from './admin-parts.tsx';
import { type PrivilegesChange, putAdmin } from './cache.ts';
import { RoleBadge } from './role-badge.tsx';
import { reaches } from './roles.ts';
import { useListUpdate } from './use-staff.ts';

export interface RowProps {
  admin: AdminRecord;
  isSelf: boolean;
  canChange: boolean;
  onEdit: (admin: AdminRecord) => void;
  onRemove: (admin: AdminRecord) => void;
  onInviteBack: (admin: AdminRecord) => void;
  reports: RowReports;
}

interface AdminListProps extends Omit<RowProps, 'admin' | 'isSelf' | 'canChange'> {
  admins: readonly AdminRecord[];
  me: Pick<AdminRecord, 'id' | 'role'>;
}

const COLUMNS = [
  t('Email'),
  t('Role'),
  t('Status'),
  t('Message Privileges'),
  t('Actions'),
] as const;

/** The number of rows in the first render: more than fit on a screen. */
const FIRST_ROWS = 30;

/** Returns only the first rows in the first render, and all rows in a low-priority render after it. */
function useFirstRows(admins: readonly AdminRecord[]): readonly AdminRecord[] {
  const [isWhole, setWhole] = useState(false);
  useEffect(() => startTransition(() => setWhole(true)), []);
  return isWhole ? admins : admins.slice(0, FIRST_ROWS);
}

/** The staff as a table on desktop, otherwise as cards. */
export function AdminList({ admins, me, ...row }: AdminListProps) {
  const isTable = useMediaQuery(DESKTOP_QUERY);
  const shown = useFirstRows(admins);
  const propsOf = (admin: AdminRecord) => ({
    ...row,
    admin,
    isSelf: admin.id === me.id,
    canChange: reaches(me.role, admin.role),
  });
  if (!isTable) {
    return (
      <ul
        aria-label={t('Admin Users')}
        className="grid grid-cols-[minmax(0,1fr)] gap-3 px-4 pb-4 md:grid-cols-2"
      >
        {shown.map((admin) => (
          <AdminCard key={admin.id} {...propsOf(admin)} />
        ))}
      </ul>
    );
  }
  return (
    <table
      aria-label={t('Admin Users')}
      className="w-full table-fixed border-collapse text-control"
    >
      <colgroup>
        <col />
        <col className="w-[104px] xl:w-[120px]" />
        <col className="w-[150px] xl:w-[190px]" />
        <col className="w-[136px] xl:w-[160px]" />
        <col className="w-[196px] xl:w-[220px]" />
      </colgroup>
      <thead>
        <ColumnHeads columns={COLUMNS} />
      </thead>
      <tbody>
        {shown.map((admin) => (
          <AdminRow key={admin.id} {...propsOf(admin)} />
        ))}
      </tbody>
    </table>
  );
}

const AdminRow = memo(function AdminRow({ reports, ...props }: RowProps) {
  const { admin, isSelf, canChange } = props;
  return (
    <tr
      data-admin={admin.email}
      className={classes(
        'h-14 border-b border-line last:border-b-0',
        admin.is_active ? 'hover:bg-bg' : 'bg-bg',
      )}
    >
      <td className="px-4 py-2">
        <Identity admin={admin} />
      </td>
      <td className="px-3 py-2">
        <RoleBadge role={admin.role} isMuted={!admin.is_active} />
      </td>
      <td className="px-3 py-2">
        <Status admin={admin} />
      </td>
      <td className="px-3 py-2">
        {admin.is_active && (
          <PrivilegesSwitch admin={admin} disabled={!canChange} reports={reports} />
        )}
      </td>
      <td className="py-2 pe-4 ps-3 text-end">
        <Actions {...props} isSelf={isSelf} />
      </td>
    </tr>
  );
});

const AdminCard = memo(function AdminCard({ reports, ...props }: RowProps) {
  const { admin, canChange } = props;
  return (
    <li
      data-admin={admin.email}
      className={classes(
        'flex flex-col gap-2.5 rounded-card border border-line p-3 [contain-intrinsic-size:auto_150px] [content-visibility:auto]',
        !admin.is_active && 'bg-bg',
      )}
    >
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-2">
        <Identity admin={admin} />
        <RoleBadge role={admin.role} isMuted={!admin.is_active} />
      </div>
      <Status admin={admin} isLine />
      <div className="mt-auto flex min-h-9 flex-wrap items-center justify-between gap-x-3 gap-y-1 border-t border-line pt-2.5">
        {admin.is_active && (
          <span className="flex items-center gap-2 text-meta text-fg-2">
            {t('Message Privileges')}
            <PrivilegesSwitch admin={admin} disabled={!canChange} reports={reports} />
          </span>
        )}
        <span className="ms-auto">
          <Actions {...props} />
        </span>
      </div>
    </li>
  );
});

const SHOWN_MS = 3_000;

interface RowReports {
  succeed: (text: string, stays: number) => void;
  failed: (error: unknown, text: string) => void;
}

interface PrivilegesSwitchProps {
  admin: AdminRecord;
  /** Whether the admin ranks above the viewer. */
  disabled: boolean;
  reports: RowReports;
}

/** Grants or revokes an admin's message privileges. The change shows at once and is reverted if the server refuses it. */
function PrivilegesSwitch({ admin, disabled, reports }: PrivilegesSwitchProps) {
  const { id, email } = admin;
  const update = useListUpdate();
  const set = useMutation({
    // While the change is pending, the list is shown with its expected result.
    mutationKey: ['admins', 'privileges'],
    mutationFn: async ({ isGranted }: PrivilegesChange) => {
      const body = { can_manage_messages: isGranted };
      return (await call(updateAdminPermissions, { params: { id }, body })).data;
    },
    onSuccess: (stored, { isGranted }) => {
      update((list) => putAdmin(list, stored));
      reports.succeed(
        isGranted
          ? t('Message privileges granted for {email}', { email })
          : t('Message privileges revoked for {email}', { email }),
        SHOWN_MS,
      );
    },
    onError: (error) => reports.failed(error, errorText(error, t('Failed to update permissions'))),
  });
  return (
    <Switch
      label={t('Message privileges for {email}', { email })}
      isOn={admin.permissions.can_manage_messages}
      onChange={(isGranted) => set.mutate({ id, isGranted })}
      busy={set.isPending}
      disabled={disabled}
    />
  );
}
