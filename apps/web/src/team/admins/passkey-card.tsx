import { type PasskeyRequirement, setPasskeyRequirement } from '@stagedoor/contract/team/passkeys';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../lib/server/api.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { passkeyErrorText } from '../../lib/server/webauthn.ts';
import { t } from '../../lib/text/i18n.ts';
import { Card } from '../../ui/card.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { Switch } from '../../ui/form/switch.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { showToast } from '../../ui/overlay/toast.ts';
import { QueryError } from '../../ui/query-error.tsx';
import { requirementsOptions, whenConfirmed } from '../passkeys/queries.ts';
import { RoleBadge } from './role-badge.tsx';
import { reaches, roleLabel } from './roles.ts';

/** Settings for the roles that require a passkey to sign in. */
export function PasskeyCard() {
  const me = useAdmin();
  const client = useQueryClient();
  const roles = useQuery(requirementsOptions);
  const [asking, setAsking] = useState<PasskeyRequirement | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const set = useMutation({
    mutationFn: async ({ role, required }: Pick<PasskeyRequirement, 'role' | 'required'>) =>
      (await whenConfirmed(() => call(setPasskeyRequirement, { body: { role, required } }))).data,
    onMutate: () => setProblem(null),
    onSuccess: (data, { role, required }) => {
      client.setQueryData(requirementsOptions.queryKey, data);
      const values = { role: roleLabel(role) };
      showToast({
        text: required
          ? t('Passkeys are now required for {role}', values)
          : t('Passkeys are no longer required for {role}', values),
      });
    },
    onError: (error) =>
      setProblem(passkeyErrorText(error, t('Couldn’t change the passkey requirement'))),
  });
  return (
    <Card
      title={t('Passkeys at Sign-In')}
      subtitle={t(
        'Admins who have a passkey are asked for it after the code. You can require passkeys for a role.',
      )}
    >
      {roles.isLoadingError && (
        <div className="px-4 pb-4">
          <QueryError query={roles} text={t('Couldn’t load the passkey requirements')} />
        </div>
      )}
      {problem !== null && (
        <div className="px-4 pb-4">
          <ErrorBox text={problem} />
        </div>
      )}
      {roles.data && (
        <ul
          aria-label={t('Roles that require a passkey')}
          className="grid grid-cols-[minmax(0,1fr)] border-t border-line md:grid-cols-2"
        >
          {roles.data.map((requirement) => (
            <RequirementRow
              key={requirement.role}
              requirement={requirement}
              canChange={reaches(me.role, requirement.role)}
              busy={set.isPending && set.variables.role === requirement.role}
              onChange={(required) => {
                if (required) setAsking(requirement);
                else set.mutate({ role: requirement.role, required });
              }}
            />
          ))}
        </ul>
      )}
      {asking && (
        <ConfirmDialog
          title={t('Require Passkeys for {role}', { role: roleLabel(asking.role) })}
          text={consequenceOf(asking)}
          confirmLabel={t('Require')}
          onClose={() => setAsking(null)}
          onConfirm={() => set.mutate({ role: asking.role, required: true })}
        />
      )}
    </Card>
  );
}

function consequenceOf({ admins, with_passkey }: PasskeyRequirement): string {
  const lacking = admins - with_passkey;
  return lacking === 0
    ? t('Sessions that didn’t use a passkey end now. From now on, every sign-in asks for one.')
    : t(
        'Sessions that didn’t use a passkey end now. From now on, every sign-in asks for one. {lacking, plural, one {# admin has none yet and adds one at the next sign-in, after the code.} other {# admins have none yet and add one at their next sign-in, after the code.}}',
        { lacking },
      );
}

interface RequirementRowProps {
  requirement: PasskeyRequirement;
  canChange: boolean;
  busy: boolean;
  onChange: (required: boolean) => void;
}

function RequirementRow({ requirement, canChange, busy, onChange }: RequirementRowProps) {
  const { role, required, admins, with_passkey } = requirement;
  return (
    <li className="flex min-h-12 items-center gap-3 border-line px-4 py-2 not-last:border-b md:odd:border-e md:nth-3:border-b-0">
      <span className="w-22 shrink-0">
        <RoleBadge role={role} />
      </span>
      <span className="min-w-0 flex-1 text-meta text-fg-3">
        {admins === 0
          ? t('No one has this role')
          : t('{with_passkey} of {admins} have a passkey', { with_passkey, admins })}
      </span>
      <span aria-hidden="true" className="text-meta text-fg-2 max-[20rem]:hidden">
        {t('Require')}
      </span>
      <Switch
        label={t('Require Passkeys for {role}', { role: roleLabel(role) })}
        isOn={required}
        onChange={onChange}
        busy={busy}
        disabled={!canChange}
      />
    </li>
  );
}
