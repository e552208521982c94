import { rich } from '@stagedoor/browser/rich-text';
import type { AdminRecord } from '@stagedoor/contract/team/admins';
import { type FormEvent, useId, useState } from 'react';
import { ApiError } from '../../lib/server/api.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { passkeyErrorText } from '../../lib/server/webauthn.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { CodenameField } from './codename-field.tsx';
import { ColorField } from './color-field.tsx';
import { PasskeyReset } from './passkey-reset.tsx';
import { RoleSelect } from './role-select.tsx';
import { type AdminDraft, isChanged, useAdminEdit } from './use-admin-edit.ts';

interface EditAdminDialogProps {
  admin: AdminRecord;
  onClose: () => void;
  onSaved: (email: string) => void;
}

/** The dialog to edit an admin's codename, color and role. */
export function EditAdminDialog({ admin: opened, onClose, onSaved }: EditAdminDialogProps) {
  const me = useAdmin();
  const formId = useId();
  // The admin as it was when the dialog opened, so that a save doesn't revert a teammate's changes.
  const [admin, setAdmin] = useState(opened);
  const [draft, setDraft] = useState<AdminDraft>(admin);
  const [isAsking, setAsking] = useState(false);
  const save = useAdminEdit(admin, setAdmin);
  const isSelf = admin.id === me.id;
  const isDirty = isChanged(admin, draft);
  const fields = save.error instanceof ApiError ? save.error.fields : {};
  const isTaken = save.error instanceof ApiError && save.error.code === 'codename_taken';
  const codenameError = isTaken ? save.error?.message : fields.codename;
  const close = () => (isDirty && !save.isPending ? setAsking(true) : onClose());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    if (!isDirty) return onClose();
    save.mutate(draft, {
      onSuccess: () => {
        onSaved(admin.email);
        onClose();
      },
    });
  };
  return (
    <Dialog
      title={t('Edit Admin')}
      subtitle={admin.email}
      onClose={close}
      footer={
        <>
          <Button onClick={close}>{t('Cancel')}</Button>
          <Button
            variant="primary"
            type="submit"
            form={formId}
            busy={save.isPending}
            disabled={draft.codename.trim() === ''}
          >
            {t('Save')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-4">
        {save.error && codenameError === undefined && (
          <ErrorBox text={passkeyErrorText(save.error, t('Couldn’t update the admin'))} />
        )}
        <p className="flex items-center gap-2 text-meta text-fg-3">
          {rich('Teammates see {codename}', {
            codename: <Chip label={draft.codename.trim() || '…'} color={draft.display_color} />,
          })}
        </p>
        <CodenameField
          codename={draft.codename}
          stored={admin.codename}
          error={codenameError}
          onChange={(codename) => {
            if (save.isError) save.reset();
            setDraft({ ...draft, codename });
          }}
        />
        <ColorField
          color={draft.display_color}
          onChange={(display_color) => setDraft({ ...draft, display_color })}
        />
        <div className="flex flex-col gap-1">
          <RoleSelect
            role={draft.role}
            most={me.role}
            disabled={isSelf}
            onChange={(role) => setDraft({ ...draft, role })}
          />
          {isSelf && (
            <p className="text-meta text-fg-3">{t('Only another admin can change your role.')}</p>
          )}
        </div>
      </form>
      {!isSelf && admin.is_active && (
        <div className="mt-4">
          <PasskeyReset admin={admin} />
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t('Discard changes?')}
          text={t('Your changes to {email} aren’t saved.', { email: admin.email })}
          confirmLabel={t('Discard')}
          onCancel={() => setAsking(false)}
          onConfirm={onClose}
        />
      )}
    </Dialog>
  );
}
