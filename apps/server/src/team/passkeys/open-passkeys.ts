import type { Core } from '../../domain.ts';
import type { SecurityNotices } from '../admins/security-notices.ts';
import { createOwnPasskeys, type OwnPasskeys } from './own.service.ts';
import { createPasskeyRequirements, type PasskeyRequirements } from './requirements.service.ts';
import { createPasskeySignIn, type PasskeySignIn } from './sign-in.service.ts';

export interface Passkeys {
  readonly signIn: PasskeySignIn;
  readonly own: OwnPasskeys;
  readonly requirements: PasskeyRequirements;
}

/** Wires passkeys: sign-in, admins' own passkeys, and requirements and resets by managers. */
export function openPasskeys(core: Core, notices: SecurityNotices): Passkeys {
  return {
    signIn: createPasskeySignIn(core, notices),
    own: createOwnPasskeys(core, notices),
    requirements: createPasskeyRequirements(core, notices),
  };
}
