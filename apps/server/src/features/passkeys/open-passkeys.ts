import type { Database } from '../../db/database.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Mailer } from '../../mail/mailer.ts';
import type { Publisher } from '../../realtime/publish.ts';
import { definePasskeyNotices } from './notices.ts';
import { createOwnPasskeys, type OwnPasskeys } from './own.service.ts';
import { createPasskeyRequirements, type PasskeyRequirements } from './requirements.service.ts';
import { createPasskeySignIn, type PasskeySignIn } from './sign-in.service.ts';

interface PasskeysDependencies {
  readonly db: Database;
  readonly jobs: Jobs;
  readonly mailer: Mailer;
  readonly publish: Pick<Publisher, 'sessionEnded'>;
  readonly log: { warn(details: object, message: string): void };
}

export interface Passkeys {
  readonly signIn: PasskeySignIn;
  readonly own: OwnPasskeys;
  readonly requirements: PasskeyRequirements;
}

/** Passkeys: at the sign-in, in one's own hands, and in those of who manages staff. */
export async function openPasskeys(dependencies: PasskeysDependencies): Promise<Passkeys> {
  const { db, publish } = dependencies;
  const notices = await definePasskeyNotices(dependencies);
  return {
    signIn: createPasskeySignIn({ db, notices }),
    own: createOwnPasskeys({ db, notices, publish }),
    requirements: createPasskeyRequirements({ db, notices, publish }),
  };
}
