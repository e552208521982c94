import type { Database } from '../../db/database.ts';
import type { Publisher } from '../../realtime/publish.ts';
import type { SecurityNotices } from '../admins/security-notices.ts';
import { createOwnPasskeys, type OwnPasskeys } from './own.service.ts';
import { createPasskeyRequirements, type PasskeyRequirements } from './requirements.service.ts';
import { createPasskeySignIn, type PasskeySignIn } from './sign-in.service.ts';

interface PasskeysDependencies {
  readonly db: Database;
  readonly notices: SecurityNotices;
  readonly publish: Pick<Publisher, 'sessionEnded'>;
}

export interface Passkeys {
  readonly signIn: PasskeySignIn;
  readonly own: OwnPasskeys;
  readonly requirements: PasskeyRequirements;
}

/** Wires passkeys: sign-in, admins' own passkeys, and requirements and resets by managers. */
export function openPasskeys({ db, notices, publish }: PasskeysDependencies): Passkeys {
  return {
    signIn: createPasskeySignIn({ db, notices }),
    own: createOwnPasskeys({ db, notices, publish }),
    requirements: createPasskeyRequirements({ db, notices, publish }),
  };
}
