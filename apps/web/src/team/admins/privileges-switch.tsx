import { type AdminRecord, updateAdminPermissions } from '@stagedoor/contract/team/admins';
import { useMutation } from '@tanstack/react-query';
import { call, errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { Switch } from '../../ui/form/switch.tsx';
import { type PrivilegesChange, putAdmin } from './cache.ts';
import { useListUpdate } from './use-staff.ts';

const SHOWN_MS = 3_000;

/** How rows report the results of their actions. */
export interface RowReports {
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
export function PrivilegesSwitch({ admin, disabled, reports }: PrivilegesSwitchProps) {
  const { id, email } = admin;
  const update = useListUpdate();
  const set = useMutation({
    // While it is pending, the whole list shows its expected result.
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
