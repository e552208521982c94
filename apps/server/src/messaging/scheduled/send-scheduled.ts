import type { Core } from '../../domain.ts';
import { AppError } from '../../errors.ts';
import { requirePermission } from '../../http/route.ts';
import { every } from '../../realtime/outbox.ts';
import { findAdmin, presentAdmin } from '../../team/admins/admins.store.ts';
import type { MessagesService } from '../messages/messages.service.ts';
import { findByClientId } from '../messages/messages.store.ts';
import * as store from './due.store.ts';
import { keyOf, type StoredScheduled } from './scheduled.store.ts';

/** The interval between checks for due messages. Milliseconds. */
const LOOK_EVERY_MS = 1_000;
/** The maximum number of messages sent in one check. */
const LOOK_BATCH = 100;
/** The maximum number of send attempts after temporary failures, with a growing pause between them. */
const TRIES_MAX = 20;
const LONGEST_PAUSE_SECONDS = 60;

type Sender = Pick<MessagesService, 'sendAsCreator'>;

/**
 * Sends due messages, on whichever node finds them first. A message is taken before it is sent and marked as sent afterwards. If
 * its process dies in between, another process retries with the same id and gets the message that was already sent.
 */
export function startScheduledSends(core: Core, messages: Sender) {
  const { db, emitShared, logError } = core;
  let isStopping = false;
  async function look(): Promise<void> {
    for (const update of await store.cancelStaleFollowUps(db)) await emitShared(update);
    for (let left = LOOK_BATCH; left > 0 && !isStopping; left--) {
      const message = await store.takeDue(db);
      if (message === null) return;
      await settle(message);
    }
  }

  async function settle(message: StoredScheduled): Promise<store.Outcome> {
    const outcome = await attempt(core, messages, message);
    for (const update of await store.noteOutcome(db, message.id, outcome)) await emitShared(update);
    return outcome;
  }

  const looking = every(LOOK_EVERY_MS, look, logError);
  return {
    settle,
    /** Takes no more messages and waits for the one being sent. */
    stop() {
      isStopping = true;
      return looking.stop();
    },
  };
}

export type ScheduledSends = ReturnType<typeof startScheduledSends>;

async function attempt(
  { db, logError }: Core,
  messages: Sender,
  message: StoredScheduled,
): Promise<store.Outcome> {
  const begun = performance.now();
  const key = keyOf(message);
  const earlier = await findByClientId(db, message.admin_id, key);
  if (earlier !== null) return { state: 'sent', messageId: earlier.id };
  const admin = await findAdmin(db.kysely, message.admin_id);
  if (!admin?.is_active) return failed('The person who scheduled this was removed');
  if (!admin.can_manage_messages)
    return failed('The person who scheduled this can no longer send messages');
  // After a long delay, another process may have taken the message, too.
  if (performance.now() - begun > (store.TAKEN_SECONDS * 1_000) / 2)
    return { state: 'waiting', seconds: 0 };
  // Scheduling was the admin's work, so the message is sent even if they are off shift now.
  const actor = { sessionId: '', isOffShift: false, admin: presentAdmin(admin) };
  try {
    const sent = await messages.sendAsCreator(
      requirePermission(actor, 'can_manage_messages'),
      {
        conversation_id: message.conversation_id,
        content: message.content,
        attachments: message.attachments.map(({ input }) => input),
      },
      key,
      { afterSeq: message.is_follow_up ? message.after_seq : null },
    );
    return { state: 'sent', messageId: sent.message.id };
  } catch (error) {
    return outcomeOf(error, message, logError);
  }
}

const failed = (reason: string): store.Outcome => ({ state: 'failed', reason });

function outcomeOf(
  error: unknown,
  { is_follow_up, attempts }: StoredScheduled,
  log: (error: unknown) => void,
): store.Outcome {
  const isKnown = error instanceof AppError && error.status < 500;
  if (isKnown && is_follow_up && error.code === 'conversation_not_found')
    return { state: 'cancelled', reason: 'Someone wrote first' };
  if (isKnown) return failed(error.message);
  log(error);
  if (attempts >= TRIES_MAX) return failed('Something went wrong on our side');
  return { state: 'waiting', seconds: Math.min(attempts * 2, LONGEST_PAUSE_SECONDS) };
}
