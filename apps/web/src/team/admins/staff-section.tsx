import type { AdminRecord } from '@stagedoor/contract/team/admins';
import { Search } from 'lucide-react';
import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import { useAdmin } from '../../lib/server/session.ts';
import { t } from '../../lib/text/i18n.ts';
import { useSteady } from '../../lib/use-steady.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SearchField } from '../../ui/form/search-field.tsx';
import { LoadingLine } from '../../ui/loading-line.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AdminList } from './admin-list.tsx';
import { findAdmins } from './cache.ts';
import { EditAdminDialog } from './edit-admin-dialog.tsx';
import { reaches } from './roles.ts';
import type { Staff } from './use-staff.ts';

/** The search field appears above this number of admins. */
const SEARCHED_FROM = 10;

export function StaffSection({ staff }: { staff: Staff }) {
  const { list, admins, notices, failed, inviteBack, remove } = staff;
  const me = useAdmin();
  const [text, setText] = useState('');
  const [editing, setEditing] = useState<AdminRecord | null>(null);
  const [removing, setRemoving] = useState<AdminRecord | null>(null);
  const rows = useRef<HTMLDivElement>(null);
  const searched = useDeferredValue(text);
  const found = useMemo(() => admins && findAdmins(admins, searched), [admins, searched]);
  const { succeed } = notices;
  const reports = useMemo(() => ({ succeed, failed }), [succeed, failed]);
  const { mutate } = inviteBack;
  const { role: ownRole } = me;
  const isInviting = useRef(false);
  const letBackIn = useCallback(
    ({ email, role }: AdminRecord) => {
      if (isInviting.current) return;
      isInviting.current = true;
      const onSettled = () => {
        isInviting.current = false;
      };
      mutate({ email, role: reaches(ownRole, role) ? role : 'support' }, { onSettled });
    },
    [mutate, ownRole],
  );
  return (
    <Card
      title={t('Admin Users')}
      aside={
        admins &&
        admins.length > SEARCHED_FROM && (
          <SearchField
            label={t('Search admins')}
            placeholder={t('Search admins...')}
            text={text}
            onChange={setText}
            className="w-full md:w-64"
          />
        )
      }
      className="overflow-clip"
    >
      {found === undefined && <ListPending list={list} />}
      {found && found.length > 0 && (
        <div ref={rows} tabIndex={-1} className="outline-none">
          <AdminList
            admins={found}
            me={me}
            onEdit={setEditing}
            onRemove={setRemoving}
            onInviteBack={letBackIn}
            reports={reports}
          />
        </div>
      )}
      {found?.length === 0 && (
        <EmptyState
          icon={<Search size={22} />}
          title={t('No admins found')}
          text={t('Nothing matches “{text}”.', { text: searched.trim() })}
          action={<Button onClick={() => setText('')}>{t('Clear Search')}</Button>}
        />
      )}
      {editing && (
        <EditAdminDialog
          admin={editing}
          onClose={() => setEditing(null)}
          onSaved={(email) => succeed(t('Admin {email} updated', { email }), 3_000)}
        />
      )}
      {removing && (
        <ConfirmDialog
          title={t('Remove Admin')}
          text={t(
            'Remove {email}? They will be signed out everywhere immediately, and their claims will be released. You can invite them back later.',
            { email: removing.email },
          )}
          confirmLabel={t('Remove')}
          onClose={() => setRemoving(null)}
          onConfirm={() => {
            // The focused button is removed with the admin's access.
            remove.mutate(removing, {
              onSuccess: () => rows.current?.focus({ preventScroll: true }),
            });
          }}
        />
      )}
    </Card>
  );
}

function ListPending({ list }: Pick<Staff, 'list'>) {
  const isLong = useSteady(true);
  if (list.isError) {
    return (
      <EmptyState
        title={t('Couldn’t load the list')}
        text={t('The admins couldn’t be loaded.')}
        action={<Button onClick={() => void list.refetch()}>{t('Retry')}</Button>}
      />
    );
  }
  return (
    <div className="border-t border-line">
      <LoadingLine text={t('Loading admins...')} className="px-4 py-3" />
      {isLong &&
        [1, 2, 3].map((row) => (
          <div key={row} className="flex h-14 items-center gap-3 px-4">
            <Skeleton className="size-8 rounded-full" />
            <Skeleton className="h-3.5 w-56" />
          </div>
        ))}
    </div>
  );
}
