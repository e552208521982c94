import { type AdminRecord, updateAdminPermissions } from '@stagedoor/contract/admins';
import { useMutation } from '@tanstack/react-query';
import { call, errorText } from '../../lib/api.ts';
import { Switch } from '../../ui/switch.tsx';
import { putAdmin, withPrivileges } from './cache.ts';
import { useListUpdate } from './use-staff.ts';

const SAID_FOR_MS = 3_000;

/** How rows tell what came of what was done in them. */
export interface RowReports {
  succeed: (text: string, stays: number) => void;
  failed: (error: unknown, text: string) => void;
}

interface PrivilegesSwitchProps {
  admin: AdminRecord;
  /** Whether the admin stands above who is looking. */
  disabled: boolean;
  reports: RowReports;
}

/** Grants or revokes an admin's message privileges: at once on screen, and back again where the server refuses. */
export function PrivilegesSwitch({ admin, disabled, reports }: PrivilegesSwitchProps) {
  const { id, email } = admin;
  const update = useListUpdate();
  const set = useMutation({
    mutationFn: async (can_manage_messages: boolean) =>
      (await call(updateAdminPermissions, { params: { id }, body: { can_manage_messages } })).data,
    onMutate: (isGranted) => {
      update((list) => withPrivileges(list, admin, isGranted));
      return admin;
    },
    onSuccess: (stored, isGranted) => {
      update((list) => putAdmin(list, stored));
      const verb = isGranted ? 'granted' : 'revoked';
      reports.succeed(`Message privileges ${verb} for ${email}`, SAID_FOR_MS);
    },
    onError: (error, isGranted, before) => {
      update((list) => withPrivileges(list, before ?? admin, !isGranted));
      reports.failed(error, errorText(error, 'Failed to update permissions'));
    },
  });
  return (
    <Switch
      label={`Message privileges for ${email}`}
      isOn={admin.permissions.can_manage_messages}
      onChange={set.mutate}
      busy={set.isPending}
      disabled={disabled}
    />
  );
}
