import type { Database } from '../../db/database.ts';
import type { Outbox } from '../../realtime/outbox.ts';
import type { Publisher } from '../../realtime/publish.ts';
import type { MediaLinks } from '../media/media-links.ts';
import { findMessageNow, findMessagesWith, type MessageNow } from './messages.store.ts';
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

/** A product in a conversation. */
interface ProductPlace {
  readonly conversation_id: string;
  readonly product_id: string;
}

export type FanUpdates = ReturnType<typeof createFanUpdates>;

/** Tells fans of messages that changed after they were sent. */
export function createFanUpdates({ db, publish, outbox, links }: FanUpdatesDependencies) {
  /** The whole message as the fan may see it by now, if the fan listens anywhere. */
  async function tell({ conversation_id, message_id }: MessagePlace): Promise<void> {
    if (!publish.mayListen(conversation_id)) return;
    const found = await findMessageNow(db, conversation_id, message_id);
    if (found !== null) show(found);
  }

  function show({ people, message }: MessageNow): void {
    const { fan_id: id, conversation_id, creator_id, version } = people;
    const shown = presentForFan(message, { id, conversation_id, creator_id }, links);
    publish.messageUpdated({ message: shown, version });
  }

  /** Every message that carries the product, as the fan may see it by now, if the fan listens anywhere. */
  async function showProduct({ conversation_id, product_id }: ProductPlace): Promise<void> {
    if (!publish.mayListen(conversation_id)) return;
    for (const found of await findMessagesWith(db, conversation_id, product_id)) show(found);
  }

  /** Only when it is told is an event off the outbox, so that the sweep tells what could not be told now. */
  function last(telling: Promise<void>, outboxId: number): void {
    telling.then(
      () => outbox.emitted([outboxId]),
      () => undefined,
    );
  }

  return {
    tell,
    showProduct,

    /** Tells the fan of a message, while the caller goes on, as the last to hear of an event. */
    tellLast: (place: MessagePlace, outboxId: number) => last(tell(place), outboxId),

    /** The same of all messages that carry a product. */
    tellProduct: (place: ProductPlace, outboxId: number) => last(showProduct(place), outboxId),
  };
}
