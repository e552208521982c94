import { rich } from '@stagedoor/browser/rich-text';
import { type AdminRecord, CODENAME_MAX_CHARS, type Fruit } from '@stagedoor/contract/team/admins';
import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { type CSSProperties, type FormEvent, useId, useState } from 'react';
import { leave } from '../../lib/leave-guard.ts';
import { ApiError } from '../../lib/server/api.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { passkeyErrorText } from '../../lib/server/webauthn.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { classes } from '../../ui/classes.ts';
import { ErrorBox } from '../../ui/error-box.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { DiscardQuestion } from '../../ui/overlay/discard-question.tsx';
import { PasskeyReset } from './passkey-reset.tsx';
import { fruitsOptions } from './queries.ts';
import { RoleSelect } from './role-select.tsx';
import { type AdminDraft, isChanged, useAdminEdit } from './use-admin-edit.ts';

interface EditAdminDialogProps {
  admin: AdminRecord;
  onClose: () => void;
  onSaved: (email: string) => void;
}

export function EditAdminDialog({ admin: opened, onClose, onSaved }: EditAdminDialogProps) {
  const me = useAdmin();
  const formId = useId();
  // The admin's data from when the dialog opened, so that a save doesn't revert a teammate's changes.
  const [admin, setAdmin] = useState(opened);
  const [draft, setDraft] = useState<AdminDraft>(admin);
  const save = useAdminEdit(admin, setAdmin);
  const isSelf = admin.id === me.id;
  const isDirty = isChanged(admin, draft);
  const fields = save.error instanceof ApiError ? save.error.fields : {};
  const isTaken = save.error instanceof ApiError && save.error.code === 'codename_taken';
  const codenameError = isTaken ? save.error?.message : fields.codename;
  const close = () => leave(onClose, 'edit-admin');
  const change = (part: Partial<AdminDraft>) => {
    // Ignores input during a save, which would not include it.
    if (!save.isPending) setDraft({ ...draft, ...part });
  };
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
          isReadOnly={save.isPending}
          onChange={(codename) => {
            if (save.isError) save.reset();
            change({ codename });
          }}
        />
        <ColorField
          color={draft.display_color}
          onChange={(display_color) => change({ display_color })}
        />
        <div className="flex flex-col gap-1">
          <RoleSelect
            role={draft.role}
            most={me.role}
            disabled={isSelf}
            onChange={(role) => change({ role })}
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
      {isDirty && !save.isPending && (
        <DiscardQuestion
          form="edit-admin"
          text={t('Your changes to {email} aren’t saved.', { email: admin.email })}
        />
      )}
    </Dialog>
  );
}

interface CodenameFieldProps {
  codename: string;
  stored: string;
  error: string | null | undefined;
  isReadOnly: boolean;
  onChange: (codename: string) => void;
}

function CodenameField(props: CodenameFieldProps) {
  const { codename, stored, error = null, isReadOnly, onChange } = props;
  const { data: fruits } = useQuery(fruitsOptions);
  const shown = fruits ? suggestions(fruits, codename === stored ? '' : codename) : [];
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label={t('Codename')}
        autoComplete="off"
        maxLength={CODENAME_MAX_CHARS}
        value={codename}
        readOnly={isReadOnly}
        error={error}
        onChange={(event) => onChange(event.target.value)}
      />
      {shown.length > 0 && (
        <ul
          aria-label={t('Suggested codenames')}
          className="-m-1 flex max-h-34 flex-wrap gap-1 overflow-y-auto overscroll-contain p-1 pb-6 [mask-image:linear-gradient(#000_calc(100%-24px),transparent)]"
        >
          {shown.map(({ name, taken }) => (
            <li key={name}>
              <button
                type="button"
                disabled={taken}
                aria-label={taken ? t('{name}, taken', { name }) : undefined}
                aria-pressed={name === codename}
                onClick={() => onChange(name)}
                className={classes(
                  'h-6 rounded-chip border px-2 text-meta transition-colors duration-80 coarse:h-9 coarse:px-3',
                  name === codename
                    ? 'border-accent bg-selected text-accent-text'
                    : 'border-control text-fg-2 hover:bg-hover hover:text-fg',
                  'disabled:border-transparent disabled:bg-surface-2 disabled:text-fg-3 disabled:line-through',
                )}
              >
                {name}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Returns the fruits that contain the text, available ones first. */
function suggestions(fruits: readonly Fruit[], text: string): Fruit[] {
  const needle = text.trim().toLowerCase();
  const found = fruits.filter(({ name }) => name.toLowerCase().includes(needle));
  return [...found.filter(({ taken }) => !taken), ...found.filter(({ taken }) => taken)];
}

interface ColorFieldProps {
  color: string;
  onChange: (color: string) => void;
}

function ColorField({ color, onChange }: ColorFieldProps) {
  return (
    <fieldset>
      <legend className="mb-1 text-meta font-medium text-fg-2">{t('Color')}</legend>
      <div className="grid w-fit grid-cols-[repeat(6,auto)] items-center gap-2">
        {STAFF_COLORS.map((known) => (
          <label
            key={known}
            title={known}
            className="relative inline-flex size-6 cursor-pointer items-center justify-center rounded-full bg-(--t) text-white has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text coarse:size-9"
            style={{ '--t': known } as CSSProperties}
          >
            <input
              type="radio"
              name="staff-color"
              aria-label={known}
              className="peer absolute inset-0 cursor-pointer appearance-none rounded-full outline-none"
              checked={known === color.toUpperCase()}
              onChange={() => onChange(known)}
            />
            <Check
              size={14}
              strokeWidth={2.5}
              className="pointer-events-none opacity-0 peer-checked:opacity-100"
            />
          </label>
        ))}
        <input
          type="color"
          aria-label={t('Custom color')}
          value={color.toLowerCase()}
          onChange={(event) => onChange(event.target.value.toUpperCase())}
          className="col-span-2 h-8 w-full min-w-12 rounded-control border border-control bg-surface p-1 coarse:h-11"
        />
      </div>
    </fieldset>
  );
}

/** The preset colors, which new admins also get. They are easy to tell apart in light and dark themes. */
const STAFF_COLORS = [
  '#4251D4',
  '#B4235A',
  '#0B7A5C',
  '#A15C00',
  '#7024AB',
  '#00708F',
  '#B3261E',
  '#4B7A12',
  '#8A4B2A',
  '#3D5A80',
] as const;
