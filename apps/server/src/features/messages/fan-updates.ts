import type { Database } from '../../db/database.ts';
import type { Outbox } from '../../realtime/outbox.ts';
import type { Publisher } from '../../realtime/publish.ts';
import type { MediaLinks } from '../media/media-links.ts';
import { findMessageNow } from './messages.store.ts';
import { presentForFan } from './present.ts';

interface FanUpdatesDependencies {
  readonly db: Database;
  readonly publish: Publisher;
  readonly outbox: Pick<Outbox, 'emitted'>;
  readonly links: MediaLinks;
}

/** A message by its ids, as events name it. */
interface MessagePlace {
  readonly conversation_id: string;
  readonly message_id: string;
}

export type FanUpdates = ReturnType<typeof createFanUpdates>;

/** Tells fans of messages that changed after they were sent. */
export function createFanUpdates({ db, publish, outbox, links }: FanUpdatesDependencies) {
  /** The whole message as the fan may see it by now, if the fan listens anywhere. */
  async function tell({ conversation_id, message_id }: MessagePlace): Promise<void> {
    if (!publish.mayListen(conversation_id)) return;
    const found = await findMessageNow(db, conversation_id, message_id);
    if (found === null) return;
    const { people, message } = found;
    const fan = { id: people.fan_id, conversation_id, creator_id: people.creator_id };
    const shown = presentForFan(message, fan, links);
    publish.messageUpdated({ message: shown, version: people.version });
  }

  return {
    tell,

    /**
     * Tells the fan, while the caller goes on, as the last to hear of an event: only then is it off the outbox, so that
     * the sweep tells what could not be told now.
     */
    tellLast(place: MessagePlace, outboxId: number): void {
      tell(place).then(
        () => outbox.emitted([outboxId]),
        () => undefined,
      );
    },
  };
}
