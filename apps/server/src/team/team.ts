import type { ConversationsChanged } from '../db/outbox-events.ts';
import type { Core, Domain } from '../domain.ts';
import { bindAdminRoutes } from './admins/admins.routes.ts';
import { createAdminsService } from './admins/admins.service.ts';
import type { ReleaseWork } from './admins/changes.store.ts';
import { defineSecurityNotices } from './admins/security-notices.ts';
import { bindAuditRoutes } from './audit/audit.routes.ts';
import { bindAuthRoutes } from './auth/auth.routes.ts';
import type { AuthService } from './auth/auth.service.ts';
import { purgeExpired } from './auth/auth.store.ts';
import { bindCreatorRoutes, creatorReemitters } from './creator/creator.routes.ts';
import { dropUnusedAvatars } from './creator/creator.store.ts';
import { bindNotificationRoutes } from './notifications/notifications.routes.ts';
import type { Notifier } from './notifications/notifier.ts';
import { openNotifications, type PushSettings } from './notifications/open-notifications.ts';
import { openPasskeys } from './passkeys/open-passkeys.ts';
import { bindPasskeyRoutes } from './passkeys/passkeys.routes.ts';
import { bindSettingsRoutes } from './settings/settings.routes.ts';

interface TeamParts {
  readonly auth: AuthService;
  readonly conversationChanged: ConversationsChanged;
  readonly releaseWork: ReleaseWork;
  readonly push: PushSettings;
  /** The key from which the push keys are derived. */
  readonly secret: Buffer;
}

export interface Team extends Domain {
  readonly notifier: Notifier;
}

/** Wires the team domain: admins, sign-in, notifications, the team's rules and the creator. */
export async function openTeam(core: Core, parts: TeamParts): Promise<Team> {
  const { db, storage, jobs, mailer, publish, outbox, emitShared, pictures, webhooks } = core;
  const { base, secure, log, logError } = core;
  const { auth, conversationChanged, releaseWork, push, secret } = parts;
  const { publicUrl } = core.config;
  const notices = await defineSecurityNotices({ db, jobs, mailer, base, log });
  const admins = createAdminsService({
    db,
    publish,
    outbox,
    notices,
    conversationChanged,
    releaseWork,
  });
  const passkeys = openPasskeys({ db, notices, publish });
  const notifications = openNotifications({
    db,
    settings: push,
    secret,
    publicUrl,
    log: logError,
  });
  const { notifier } = notifications;
  return {
    notifier,
    bind(router) {
      bindAuthRoutes(router, { db, auth, publish, secure });
      bindPasskeyRoutes(router, { db, ...passkeys, publicUrl, secure });
      bindAdminRoutes(router, { db, admins });
      bindAuditRoutes(router, { db });
      bindSettingsRoutes(router, { db });
      bindCreatorRoutes(router, {
        db,
        storage,
        pictures,
        publish,
        outbox,
        emitShared,
        publicUrl,
        webhooks,
      });
      bindNotificationRoutes(router, { db, ...notifications });
    },
    reemitters: { ...admins.reemitters, ...creatorReemitters({ db, publish, publicUrl }) },
    sweeps: [() => purgeExpired(db), () => dropUnusedAvatars(db)],
    stop: () => Promise.all([auth.settle(), notifier.stop()]),
  };
}
