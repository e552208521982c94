import type { AdminRole } from '@stagedoor/contract/team/auth';
import { UserPlus } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { ApiError } from '../../lib/server/api.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { DiscardQuestion } from '../../ui/overlay/discard-question.tsx';
import { RoleSelect } from './role-select.tsx';
import type { Staff } from './use-staff.ts';

const EXAMPLE = 'teammate@example.com';

/** The form to add an admin. The input stays until the admin has been added. */
export function AddAdminForm({ add }: Pick<Staff, 'add'>) {
  const me = useAdmin();
  const form = useRef<HTMLFormElement>(null);
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<AdminRole>('support');
  const [error, setError] = useState<string | null>(null);
  const object = (text: string) => {
    setError(text);
    form.current?.querySelector('input')?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (add.isPending) return;
    setError(null);
    if (email.trim() === '') return object(t('Email is required'));
    add.mutate(
      { email: email.trim(), role },
      {
        onSuccess: () => {
          setEmail('');
          setRole('support');
        },
        onError: (failure) => {
          const objection = failure instanceof ApiError ? failure.fields.email : undefined;
          if (objection !== undefined) object(objection);
        },
      },
    );
  };
  return (
    <Card title={t('Add New Admin')}>
      <form
        ref={form}
        noValidate
        onSubmit={submit}
        className="grid gap-x-3 gap-y-3 px-4 pb-4 md:grid-cols-[minmax(0,1fr)_160px_auto] md:items-start"
      >
        <TextField
          label={t('Email')}
          type="email"
          name="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={EXAMPLE}
          value={email}
          error={error}
          readOnly={add.isPending}
          onChange={(event) => {
            setEmail(event.target.value);
            setError(null);
          }}
        />
        <RoleSelect role={role} onChange={setRole} most={me.role} />
        <Button
          type="submit"
          variant="primary"
          busy={add.isPending}
          icon={<UserPlus />}
          className="md:mt-5"
        >
          {t('Add Admin')}
        </Button>
        <p className="text-meta text-fg-3 md:col-span-full">
          {t('They’ll get an email with a link to the console.')}
        </p>
      </form>
      {email.trim() !== '' && (
        <DiscardQuestion form="add-admin" text={t('The new admin hasn’t been added yet.')} />
      )}
    </Card>
  );
}
