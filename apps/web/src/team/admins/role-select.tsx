import type { AdminRole } from '@stagedoor/contract/team/auth';
import { t } from '../../lib/text/i18n.ts';
import { SelectField } from '../../ui/form/select-field.tsx';
import { ROLES, reaches } from './roles.ts';

interface RoleSelectProps {
  role: AdminRole;
  onChange: (role: AdminRole) => void;
  /** The highest role that can be chosen. */
  most: AdminRole;
  disabled?: boolean;
}

/** Chooses a role, up to the viewer's own. */
export function RoleSelect({ role, onChange, most, disabled = false }: RoleSelectProps) {
  return (
    <SelectField
      label={t('Role')}
      value={role}
      disabled={disabled}
      onChange={({ target }) =>
        onChange(ROLES.find((known) => known.role === target.value)?.role ?? role)
      }
    >
      {ROLES.map((known) => (
        <option key={known.role} value={known.role} disabled={!reaches(most, known.role)}>
          {known.label}
        </option>
      ))}
    </SelectField>
  );
}
