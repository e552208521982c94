import type { ConversationsChanged } from '../db/outbox-events.ts';
import type { Core, Domain } from '../domain.ts';
import type { Retries } from '../jobs/jobs.ts';
import { bindFanFactsRoutes } from './fan-facts/fan-facts.routes.ts';
import { type FanClientUrls, fanClientUrls } from './fan-sessions/fan-client-url.ts';
import { bindFanSessionRoutes } from './fan-sessions/fan-sessions.routes.ts';
import type { FanSessionsService } from './fan-sessions/fan-sessions.service.ts';
import { purgeFanSessions } from './fan-sessions/fan-sessions.store.ts';
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
  readonly conversations: {
    readonly changed: ConversationsChanged;
    get(id: string): Promise<unknown>;
  };
  readonly sessions: FanSessionsService;
  /** The key that signs links to the fan client. */
  readonly linkKey: Buffer;
  /** The key from which invitation links are derived. */
  readonly inviteKey: Buffer;
  readonly inviteRetries: Retries | undefined;
}

export interface Fans extends Domain {
  readonly urls: FanClientUrls;
}

/** Wires the fans domain: profiles, profile notes, tags, statements, subscriptions, invitations and fan sessions. */
export async function openFans(core: Core, parts: FansParts): Promise<Fans> {
  const { config, db, jobs, mailer, publish, outbox, emitShared, webhooks, base } = core;
  const { conversations, sessions, linkKey, inviteKey, inviteRetries } = parts;
  const { publicUrl } = config;
  const conversationChanged = conversations.changed;
  const changeFan = createChangeFan(db, conversationChanged, emitShared);
  const urls = fanClientUrls(linkKey);
  const statements = createStatementsService({ db, publish, outbox });
  const invites = await openInvites({
    db,
    jobs,
    mailer,
    key: inviteKey,
    retries: inviteRetries,
    webhooks,
    base,
  });
  return {
    urls,
    bind(router) {
      bindFanRoutes(router, { db, changeFan });
      bindTagRoutes(router, { db, publish, outbox });
      bindStatementRoutes(router, {
        db,
        statements,
        requireConversation: conversations.get,
      });
      bindFanFactsRoutes(router, { db, changeFan });
      bindSubscriptionRoutes(router, { db, changeFan });
      bindFanSessionRoutes(router, { db, sessions, urls, base });
      bindInviteRoutes(router, { db, invites, changeFan });
      bindWelcomeRoutes(router, { db, sessions, conversationChanged, webhooks, publicUrl });
    },
    reemitters: statements.reemitters,
    sweeps: [() => purgeFanSessions(db)],
    stop: async () => undefined,
  };
}
