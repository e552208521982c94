import type { Core, Domain } from '../domain.ts';
import type { Retries } from '../jobs/jobs.ts';
import { bindFanFactsRoutes } from './fan-facts/fan-facts.routes.ts';
import { type FanClientUrls, fanClientUrls } from './fan-sessions/fan-client-url.ts';
import { bindFanSessionRoutes } from './fan-sessions/fan-sessions.routes.ts';
import type { FanSessionsService } from './fan-sessions/fan-sessions.service.ts';
import { fanSessionSweeps } from './fan-sessions/fan-sessions.store.ts';
import { createChangeFan } from './fans/change-fan.ts';
import { bindFanRoutes } from './fans/fans.routes.ts';
import { bindInviteRoutes } from './invites/invites.routes.ts';
import { openInvites } from './invites/open-invites.ts';
import { bindWelcomeRoutes } from './invites/welcome.routes.ts';
import { bindStatementRoutes } from './statements/statements.routes.ts';
import { createStatementsService } from './statements/statements.service.ts';
import { bindSubscriptionRoutes } from './subscriptions/subscriptions.routes.ts';
import { bindTagRoutes } from './tags/tags.routes.ts';

interface FansParts {
  readonly sessions: FanSessionsService;
  /** The key that signs links to the fan client. */
  readonly linkKey: Buffer;
  readonly inviteKey: Buffer;
  readonly inviteRetries: Retries | undefined;
}

export interface Fans extends Domain {
  readonly urls: FanClientUrls;
}

/** Wires the fans domain: profiles, profile notes, tags, statements, subscriptions, invitations and fan sessions. */
export async function openFans(core: Core, parts: FansParts): Promise<Fans> {
  const { sessions, linkKey, inviteKey, inviteRetries } = parts;
  const changeFan = createChangeFan(core);
  const urls = fanClientUrls(linkKey);
  const statements = createStatementsService(core);
  const invites = await openInvites({ ...core, key: inviteKey, retries: inviteRetries });
  return {
    urls,
    bind(router) {
      bindFanRoutes(router, core, changeFan);
      bindTagRoutes(router, core);
      bindStatementRoutes(router, core, statements);
      bindFanFactsRoutes(router, core, changeFan);
      bindSubscriptionRoutes(router, core, changeFan);
      bindFanSessionRoutes(router, { ...core, sessions, urls });
      bindInviteRoutes(router, { ...core, invites, changeFan });
      bindWelcomeRoutes(router, core, sessions);
    },
    reemitters: statements.reemitters,
    sweeps: fanSessionSweeps(core.db),
    stop: async () => undefined,
  };
}
