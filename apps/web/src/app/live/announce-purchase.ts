import { formatMoney } from '@stagedoor/browser/money';
import type { ServerEvent } from '@stagedoor/contract/realtime';
import type { QueryClient } from '@tanstack/react-query';
import { displayName } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { threadIn } from '../../messaging/messages/queries.ts';
import { showToast } from '../../ui/overlay/toast.ts';
import { knownConversation } from './live-inbox.ts';

/** Shows a toast that says who bought what, if the conversation is known. */
export function announcePurchase(
  { conversation_id: id, message_id, product_id, amount }: ServerEvent<'purchase_recorded'>,
  client: QueryClient,
): void {
  const conversation = knownConversation(client, id);
  if (!conversation) return;
  const message = threadIn(client, id)?.messages.find((held) => held.id === message_id);
  const title = message?.attachments.find((held) => held.product_id === product_id)?.title;
  const name = displayName(conversation.fan);
  const price = formatMoney(amount);
  showToast({
    text: title
      ? t('{name} unlocked {title} · {price}', { name, title, price })
      : t('{name} unlocked a product · {price}', { name, price }),
  });
}

/** Shows a toast that says who tipped how much, if the conversation is known. */
export function announceTip(
  { conversation_id: id, amount }: ServerEvent<'tip_recorded'>,
  client: QueryClient,
): void {
  const conversation = knownConversation(client, id);
  if (!conversation) return;
  const name = displayName(conversation.fan);
  showToast({ text: t('{name} tipped {amount}', { name, amount: formatMoney(amount) }) });
}
