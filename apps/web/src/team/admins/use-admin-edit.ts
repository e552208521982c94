import {
  type AdminRecord,
  updateAdminCodename,
  updateAdminColor,
  updateAdminRole,
} from '@stagedoor/contract/team/admins';
import type { AdminRole } from '@stagedoor/contract/team/auth';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';
import { whenConfirmed } from '../passkeys/queries.ts';
import { putAdmin } from './cache.ts';
import { useListUpdate } from './use-staff.ts';

export interface AdminDraft {
  codename: string;
  display_color: string;
  role: AdminRole;
}

const sameColor = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** Returns whether a draft differs from the stored admin. */
export function isChanged(admin: AdminRecord, draft: AdminDraft): boolean {
  return (
    draft.codename.trim() !== admin.codename ||
    !sameColor(draft.display_color, admin.display_color) ||
    draft.role !== admin.role
  );
}

/** Saves a draft's changes one after the other. Changes saved before a failure stay saved; `onStored` is called for each. */
export function useAdminEdit(admin: AdminRecord, onStored: (stored: AdminRecord) => void) {
  const update = useListUpdate();
  return useMutation({
    mutationFn: async (draft: AdminDraft) => {
      const params = { id: admin.id };
      const keep = (stored: AdminRecord) => {
        update((list) => putAdmin(list, stored));
        onStored(stored);
      };
      const codename = draft.codename.trim();
      const { display_color, role } = draft;
      if (codename !== admin.codename)
        keep((await call(updateAdminCodename, { params, body: { codename } })).data);
      if (!sameColor(display_color, admin.display_color))
        keep((await call(updateAdminColor, { params, body: { display_color } })).data);
      if (role !== admin.role) {
        const setRole = () => call(updateAdminRole, { params, body: { role } });
        keep((await whenConfirmed(setRole)).data);
      }
    },
  });
}
