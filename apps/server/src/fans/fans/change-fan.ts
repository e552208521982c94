import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { changeConversations, lockConversations } from '../../db/change-conversation.ts';
import { isUuid } from '../../db/database.ts';
import type { ConversationTouched } from '../../db/outbox-events.ts';
import type { Tx } from '../../db/tables.ts';
import type { Core } from '../../domain.ts';
import { conversationNotFound, fanNotFound } from '../../errors.ts';

declare const held: unique symbol;

/**
 * A fan whose conversation this transaction has locked. Stores need a `HeldFan` to change a fan, and only this module and
 * {@link insertFan} return one, so code that changes a fan but forgets the event does not compile.
 */
export interface HeldFan {
  readonly id: string;
  readonly conversationId: string;
  readonly [held]: true;
}

/** Marks a fan as held without a lock. Only for {@link insertFan}, whose new fan no other transaction can see. */
export const holdFan = (id: string, conversationId: string) => ({ id, conversationId }) as HeldFan;

async function holdFans(tx: Tx, which: RawBuilder<SqlBool>): Promise<HeldFan[]> {
  const locked = await lockConversations(tx, which);
  return locked.map(({ id, fan_id }) => holdFan(fan_id, id));
}

const touchFans = (tx: Tx, fans: readonly HeldFan[]): Promise<ConversationTouched[]> =>
  changeConversations(tx, [fans.map(({ conversationId }) => conversationId)]);

/**
 * Changes several fans.
 * @param conversationIds UUIDs @param work changes the fans that exist, and returns those that it changed
 * @returns their conversations, whose events the caller has to emit after the commit
 */
export async function changeFans(
  tx: Tx,
  conversationIds: readonly string[],
  work: (fans: readonly HeldFan[]) => Promise<readonly HeldFan[]>,
): Promise<ConversationTouched[]> {
  const fans = await holdFans(tx, sql`id = any(${conversationIds}::uuid[])`);
  return touchFans(tx, await work(fans));
}

interface FanChange<T> {
  /**
   * Where clients show the changed data: in the `conversation` (lists and header) or in the `facts` of the fan panel. Null if
   * nothing changed, or if clients fetch the data whenever they show it.
   */
  readonly shows: 'conversation' | 'facts' | null;
  readonly result: T;
}

/**
 * Changes a fan: locks their conversation, runs `work` in the transaction, queues the event, and emits it after the commit.
 * @param who the id of the fan or the conversation; can be any text
 * @returns the result of `work`
 * @throws AppError 404 `fan_not_found`, or `conversation_not_found` for a conversation
 */
export type ChangeFan = <T>(
  who: { readonly fan: string } | { readonly conversation: string },
  work: (tx: Tx, fan: HeldFan) => Promise<FanChange<T>>,
) => Promise<T>;

export const createChangeFan =
  ({ changeShared, conversationChanged }: Core): ChangeFan =>
  async (who, work) => {
    const id = 'fan' in who ? who.fan : who.conversation;
    const column = 'fan' in who ? 'fan_id' : 'id';
    const { result, touched } = await changeShared(async (tx, share) => {
      const [fan] = isUuid(id) ? await holdFans(tx, sql`${sql.ref(column)} = ${id}`) : [];
      if (fan === undefined) throw 'fan' in who ? fanNotFound() : conversationNotFound();
      const { shows, result } = await work(tx, fan);
      if (shows === 'facts') await share({ what: 'fan', conversation_id: fan.conversationId });
      return { result, touched: shows === 'conversation' ? await touchFans(tx, [fan]) : [] };
    });
    await conversationChanged(touched);
    return result;
  };
