import type { Core, Domain } from '../domain.ts';
import { every } from '../realtime/outbox.ts';
import { bindAdminRoutes } from './admins/admins.routes.ts';
import { createAdminsService } from './admins/admins.service.ts';
import type { ReleaseWork } from './admins/changes.store.ts';
import type { SecurityNotices } from './admins/security-notices.ts';
import { bindAuditRoutes } from './audit/audit.routes.ts';
import { bindAuthRoutes } from './auth/auth.routes.ts';
import type { AuthService } from './auth/auth.service.ts';
import { signInSweeps } from './auth/auth.store.ts';
import { bindCreatorRoutes, creatorReemitters } from './creator/creator.routes.ts';
import { dropUnusedAvatars } from './creator/creator.store.ts';
import { bindNotificationRoutes } from './notifications/notifications.routes.ts';
import type { Notifier } from './notifications/notifier.ts';
import { openNotifications, type PushSettings } from './notifications/open-notifications.ts';
import { openPasskeys } from './passkeys/open-passkeys.ts';
import { bindPasskeyRoutes } from './passkeys/passkeys.routes.ts';
import { bindSettingsRoutes } from './settings/settings.routes.ts';
import type { Acts } from './shifts/acts.ts';
import { createFiguresService } from './shifts/figures.service.ts';
import { bindShiftRoutes } from './shifts/shifts.routes.ts';
import { createShiftsService } from './shifts/shifts.service.ts';

/** How often acts are written to the clocks and idle clocks are stopped. Milliseconds. */
const CLOCKS_MS = 5_000;

interface TeamParts {
  readonly auth: AuthService;
  readonly notices: SecurityNotices;
  readonly acts: Acts;
  readonly releaseWork: ReleaseWork;
  readonly push: PushSettings;
  /** The key from which the push keys are derived. */
  readonly secret: Buffer;
}

export interface Team extends Domain {
  readonly notifier: Notifier;
}

/** Wires the team domain: admins, sign-in, passkeys, the audit log, notifications, the team's rules, shifts and the creator. */
export function openTeam(core: Core, parts: TeamParts): Team {
  const { db, logError } = core;
  const { auth, notices, acts, releaseWork, push, secret } = parts;
  const admins = createAdminsService({ ...core, notices, releaseWork });
  const passkeys = openPasskeys(core, notices);
  const notifications = openNotifications({ ...core, settings: push, secret });
  const { notifier } = notifications;
  const shifts = createShiftsService({ ...core, acts, notices: notifier });
  const clocks = every(CLOCKS_MS, shifts.stopIdle, logError);
  return {
    notifier,
    bind(router) {
      bindAuthRoutes(router, core, auth);
      bindPasskeyRoutes(router, { ...core, ...passkeys });
      bindAdminRoutes(router, core, admins);
      bindAuditRoutes(router, db);
      bindSettingsRoutes(router, core);
      bindShiftRoutes(router, shifts, createFiguresService(db));
      bindCreatorRoutes(router, core);
      bindNotificationRoutes(router, { ...core, ...notifications });
    },
    reemitters: { ...admins.reemitters, ...creatorReemitters(core) },
    sweeps: [...signInSweeps(db), () => dropUnusedAvatars(db)],
    async stop() {
      await Promise.all([auth.settle(), notifier.stop(), clocks.stop()]);
      await acts.flush();
    },
  };
}
