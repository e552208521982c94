import { PRESENCE_EVERY_MS } from '@stagedoor/contract/realtime';
import type { Database } from './db/database.ts';
import type { ConversationsService } from './inbox/conversations/conversations.service.ts';
import type { Presence } from './inbox/presence/presence.ts';
import { every } from './realtime/outbox.ts';
import { sumUpDays } from './selling/analytics/analytics.store.ts';
import type { Payments } from './selling/payments/payments.ts';

/** The analytics sum up a day soon after it is over. */
const SUM_UP_MS = 60_000;
/** Claims whose time is over are looked for this often. */
const RELEASE_MS = 5_000;
/** Checkouts for what their fans own by now are expired this soon. */
const EXPIRE_MS = 1_000;

interface Rounds {
  readonly db: Database;
  readonly conversations: Pick<ConversationsService, 'releaseExpired'>;
  readonly presence: Pick<Presence, 'tellAll'>;
  readonly payments: Pick<Payments, 'expireNeedless'>;
}

/** What every node does again and again, whatever the others do. */
export function startRounds(
  { db, conversations, presence, payments }: Rounds,
  log: (error: unknown) => void,
) {
  const rounds = [
    every(SUM_UP_MS, () => sumUpDays(db), log),
    every(RELEASE_MS, conversations.releaseExpired, log),
    every(PRESENCE_EVERY_MS, presence.tellAll, log),
    ...(payments.expireNeedless ? [every(EXPIRE_MS, payments.expireNeedless, log)] : []),
  ];
  return { stop: () => Promise.all(rounds.map((round) => round.stop())) };
}
