import type { Core } from '../../domain.ts';
import type { ProductRef } from '../../selling/purchases/purchases.service.ts';
import {
  findMessageNow,
  findMessagesNow,
  findMessagesWith,
  type MessageNow,
} from './messages.store.ts';
import { type MessageRecord, presentForFan } from './present.ts';

/** The ids that identify a message in events. */
interface MessageRef {
  readonly conversation_id: string;
  readonly message_id: string;
}

export type FanUpdates = ReturnType<typeof createFanUpdates>;

/** Sends fans the messages that changed after they were sent. */
export function createFanUpdates({ db, publish, links }: Core) {
  /** Emits the message as the fan currently sees it, if the fan has a connection open. */
  async function showMessage({ conversation_id, message_id }: MessageRef): Promise<void> {
    if (!publish.mayListen(conversation_id)) return;
    const found = await findMessageNow(db, conversation_id, message_id);
    if (found !== null) show(found);
  }

  function show({ people, message }: MessageNow, isNew = false): void {
    const { fan_id: id, conversation_id, creator_id, version } = people;
    if (message.unsent !== null) {
      publish.messageDeleted(deletedOf(message, version));
      return;
    }
    const shown = presentForFan(message, { id, conversation_id, creator_id }, links);
    if (isNew) publish.newFanMessage({ message: shown, version, client_id: null });
    else publish.messageUpdated({ message: shown, version });
  }

  /** Emits every message that carries the product as the fan currently sees it, if the fan has a connection open. */
  async function showProduct({ conversation_id, product_id }: ProductRef): Promise<void> {
    if (!publish.mayListen(conversation_id)) return;
    for (const found of await findMessagesWith(db, conversation_id, product_id)) show(found);
  }

  /** Emits messages that were stored or unsent without an event of their own. Pass only messages to connected fans. */
  async function showNew(refs: readonly MessageRef[]): Promise<void> {
    for (const found of await findMessagesNow(db, refs)) show(found, true);
  }

  return { showMessage, showProduct, showNew };
}

const deletedOf = ({ id, conversation_id, seq }: MessageRecord, version: number) => ({
  conversation_id,
  message_id: id,
  seq,
  version,
});
