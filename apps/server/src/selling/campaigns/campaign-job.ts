import type { TeamSettings } from '@stagedoor/contract/team/settings';
import { writeAudit } from '../../db/audit.ts';
import type { Database } from '../../db/database.ts';
import type { Tx } from '../../db/tables.ts';
import { AppError } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import { readSettings } from '../../team/settings/settings.store.ts';
import { findSegment } from '../segments/segments.store.ts';
import { findHindrance, type RefusalOf, renewMessages } from './campaign-messages.ts';
import type { Delivery } from './campaign-sql.ts';
import * as store from './campaigns.store.ts';
import {
  countRecipients,
  endQuietWaits,
  hasPending,
  insertRecipients,
  skipPending,
} from './recipients.store.ts';
import { type Progress, queueProgress, sendBatch } from './send-batch.store.ts';
import { type UnsendMessages, unsendBatch } from './unsend-batch.store.ts';

/** The maximum number of messages in one transaction. Small, so that locks are short: a teammate's send may wait for them. */
const BATCH = 200;
/** The maximum number of recipients changed in one transaction that sends nothing. High, because it locks no conversations. */
const CHANGED_AT_ONCE = 5_000;
/** How often to look for campaigns that came due while others are being sent. Milliseconds. */
const POLL_MS = 250;
/** After a pause, a rate-limited campaign catches up on at most this much missed sending time. Milliseconds. */
const CATCH_UP_MS = 1_000;

interface CampaignJobDependencies {
  readonly db: Database;
  readonly refusalOf: RefusalOf;
  readonly zones: () => Promise<readonly string[]>;
  readonly unsend: UnsendMessages;
  readonly log: Logger;
  /** Emits a committed event, once the previous one has been emitted. */
  readonly progressed: (event: { id: number; payload: Progress }) => Promise<void>;
}

/** Returns the parts of a stored campaign that decide who gets which message. */
export const deliveryOf = (
  { id, exclude, variants }: Pick<Delivery, 'id' | 'exclude' | 'variants'>,
  team: TeamSettings,
  zones: readonly string[],
): Delivery => ({ id, exclude, variants, team, zones });

/** Returns the rule of a campaign's audience: the segment's current one, if there is a segment. */
export async function ruleOf(
  db: Database['kysely'],
  { rule, segment_id }: Pick<store.StoredCampaign, 'rule' | 'segment_id'>,
): Promise<store.StoredCampaign['rule']> {
  const segment = segment_id === null ? null : await findSegment(db, segment_id);
  return segment?.rule ?? rule;
}

/**
 * Creates the job that sends and unsends campaigns. Every node runs it. Each step is a transaction that locks its campaign; a
 * locked campaign is skipped, so only one node works on it at a time. Everything that a step needs is in the database, so after a
 * crash any node can take the next step.
 */
export function createCampaignJob(dependencies: CampaignJobDependencies) {
  const { db, refusalOf, zones, unsend, log, progressed } = dependencies;
  let stopped = false;

  /** Takes a step. A failure is logged, and the other campaigns continue. @returns whether there may be more to do now */
  const tryStep = (id: string): Promise<boolean> =>
    step(id).catch((error: unknown) => {
      log.error({ err: error, campaign: id }, 'could not send a campaign');
      return false;
    });

  /** @returns whether there may be more to do now */
  async function step(id: string): Promise<boolean> {
    const known = await zones();
    const done = await db.kysely.transaction().execute(async (tx) => {
      const campaign = await store.lockCampaign(tx, id, 'skip locked');
      return campaign === null ? null : advance(tx, campaign, known);
    });
    if (done === null) return false;
    if (done.event !== null) await progressed(done.event);
    return done.more;
  }

  async function advance(tx: Tx, campaign: store.LockedCampaign, known: readonly string[]) {
    const { id, now, state, begin_at, expires_at } = campaign;
    if (campaign.is_unsending) return takeBack(tx, campaign);
    if (campaign.finished_at !== null) return null;
    if (state === 'canceled') return skip(tx, campaign, 'canceled');
    const begins = state === 'scheduled' && begin_at !== null && begin_at <= now;
    if (state !== 'running' && !begins) return null;
    if (expires_at !== null && expires_at <= now) return skip(tx, campaign, 'expired');
    if (!(await isStillAllowed(tx, campaign)))
      return { more: false, event: await queueProgress(tx, id, []) };
    if (campaign.audience_at === null) {
      const team = await readSettings(tx);
      const rule = await ruleOf(tx, campaign);
      await insertRecipients(tx, deliveryOf(campaign, team, known), { ...campaign, rule });
      const started_at = campaign.started_at ?? now;
      const begun = { state: 'running', rule, audience_at: now, started_at } as const;
      await store.updateCampaign(tx, id, { ...begun, quiet_hours: quietHoursOf(team) });
      await auditSelf(tx, campaign, 'campaign.begin');
      return { more: true, event: await queueProgress(tx, id, []) };
    }
    return send(tx, campaign, known);
  }

  /** Checks a campaign when it begins and before each batch, and pauses it if it may no longer be sent. */
  async function isStillAllowed(tx: Tx, campaign: store.LockedCampaign): Promise<boolean> {
    const { id, state, started_by, variants } = campaign;
    try {
      const hindrance = await findHindrance(tx, started_by, variants);
      if (hindrance !== null) throw hindrance;
      if (state === 'scheduled')
        await store.setVariants(tx, id, await renewMessages(tx, refusalOf, variants));
      return true;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { message: reason } = error;
      await store.updateCampaign(tx, id, { state: 'paused', paused_reason: reason });
      await auditSelf(tx, campaign, 'campaign.pause', { reason });
      return false;
    }
  }

  async function send(tx: Tx, campaign: store.LockedCampaign, known: readonly string[]) {
    const { id, started_by, now } = campaign;
    if (started_by === null) throw new Error(`nobody started the campaign ${id}`);
    const { size, spend } = paceOf(campaign);
    if (size === 0) return { more: false, event: null };
    const team = await readSettings(tx);
    const quiet_hours = quietHoursOf(team);
    if (quiet_hours !== campaign.quiet_hours) {
      if ((await endQuietWaits(tx, id, CHANGED_AT_ONCE)) > 0) return { more: true, event: null };
      await store.updateCampaign(tx, id, { quiet_hours });
    }
    const delivery = deliveryOf(campaign, team, known);
    const { sent, picked, counts } = await sendBatch(tx, delivery, started_by, size);
    if (picked === 0) {
      if (await hasPending(tx, id)) return { more: false, event: null };
      await store.updateCampaign(tx, id, { state: 'finished', finished_at: now });
      await auditSelf(tx, campaign, 'campaign.finish');
      return { more: false, event: await queueProgress(tx, id, []) };
    }
    await countRecipients(tx, id, counts);
    const paced_at = spend(sent.length);
    if (paced_at !== null) await store.updateCampaign(tx, id, { paced_at });
    return { more: true, event: await queueProgress(tx, id, sent) };
  }

  async function skip(tx: Tx, campaign: store.LockedCampaign, reason: 'canceled' | 'expired') {
    const { id, now } = campaign;
    const counts = await skipPending(tx, id, reason, CHANGED_AT_ONCE);
    await countRecipients(tx, id, counts);
    const isDone = counts.length === 0;
    if (isDone) {
      const state = reason === 'expired' ? ({ state: 'finished' } as const) : {};
      await store.updateCampaign(tx, id, { ...state, finished_at: now });
      if (reason === 'expired') await auditSelf(tx, campaign, 'campaign.expire');
    }
    return { more: !isDone, event: await queueProgress(tx, id, []) };
  }

  async function takeBack(tx: Tx, { id, unsent_by, unsent_up_to }: store.LockedCampaign) {
    if (unsent_by === null) throw new Error(`nobody unsent the campaign ${id}`);
    const { unsent, upTo, outlook } = await unsendBatch(tx, id, unsent_by, unsent_up_to, unsend);
    // Also true after the last batch: a canceled campaign still has to mark its remaining recipients as skipped.
    const more = outlook !== 'waits' || unsent.length > 0;
    if (!more) return { more, event: null };
    await store.updateCampaign(tx, id, { unsent_up_to: upTo, is_unsending: outlook !== 'done' });
    return { more, event: await queueProgress(tx, id, unsent) };
  }

  return {
    /** Does all pending work, one step per campaign in turn. Includes campaigns that come due in the meantime. */
    async work(): Promise<void> {
      let due = await store.findDue(db);
      let pollAt = Date.now() + POLL_MS;
      while (due.length > 0 && !stopped) {
        const left: string[] = [];
        for (const id of due) if (!stopped && (await tryStep(id))) left.push(id);
        due = left;
        if (due.length === 0 || Date.now() < pollAt) continue;
        due = await store.findDue(db);
        pollAt = Date.now() + POLL_MS;
      }
    },
    /** Ends {@link work} after the current step. */
    stop() {
      stopped = true;
    },
  };
}

/** Returns the settings that decide when fans' quiet hours end, as a string to compare. */
const quietHoursOf = ({ quiet_from_hour, quiet_until_hour, time_zone }: TeamSettings): string =>
  `${quiet_from_hour}-${quiet_until_hour} ${time_zone}`;

/** Audits an action of the server itself. */
const auditSelf = (
  tx: Tx,
  { id: targetId, name }: store.LockedCampaign,
  action: string,
  details: { readonly reason?: string } = {},
) => writeAudit(tx, { adminId: null, action, targetId, details: { name, ...details } });

/** Returns how many messages may be sent now, and a function from the number sent to the new `paced_at`. */
function paceOf({ per_minute, paced_at, now }: store.LockedCampaign) {
  if (per_minute === null) return { size: BATCH, spend: () => null };
  const each = 60_000 / per_minute;
  const from = Math.max(paced_at?.getTime() ?? 0, now.getTime() - each - CATCH_UP_MS);
  const size = Math.min(BATCH, Math.floor((now.getTime() - from) / each));
  return { size, spend: (sent: number) => new Date(from + sent * each) };
}
