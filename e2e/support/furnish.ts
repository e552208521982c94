import { putSubscription } from '@stagedoor/contract/platform';
import { buildConversation, buildFan, buildReply } from '../../apps/server/test/factories.ts';
import type { Desk } from './journey.ts';

/** Gives a fan tags of their own, in this order. A label alone is orange. */
export async function tagFan(
  desk: Desk,
  fanId: string,
  tags: readonly (string | { label: string; color: string })[],
): Promise<void> {
  const values = tags.map((tag, position) => ({
    ...(typeof tag === 'string' ? { label: tag, color: '#FF5733' } : tag),
    fan_id: fanId,
    position,
    global_tag_id: null,
  }));
  await desk.db.kysely.insertInto('fan_tags').values(values).execute();
}

/** An inbox with every kind of row, and a conversation with every kind of message. */
export async function furnishInbox(desk: Desk): Promise<{ id: string }> {
  const colleague = await desk.hire({ display_color: '#B4235A' });
  const colors = ['#FF5733', '#FFFF00', '#000000', '#FFFFFF'];
  const rich = await buildConversation(desk, {
    fan: { first_name: 'Ana', username: 'ana', timezone: 'Europe/Lisbon' },
    messages: ['Hello there', 'See https://example.com'],
    claimedBy: colleague.admin,
  });
  await tagFan(
    desk,
    rich.fan.id,
    colors.map((color, position) => ({ label: `Tag ${position}`, color })),
  );
  await buildReply(colleague, rich.id, {
    content: 'A quoted answer',
    reply_to_message_id: rich.messages[0]?.id ?? '',
  });
  const socket = {
    message_id: rich.messages[0]?.id ?? '',
    user_id: colleague.admin.id,
    emoji: '🔥',
  };
  await desk.db.kysely.insertInto('reactions').values(socket).execute();
  const flagged = await buildConversation(desk, { fan: { first_name: 'Ben' }, status: 'flagged' });
  for (const [{ fan }, status, hours] of [
    [rich, 'trial', 1],
    [flagged, 'subscribed', 70],
  ] as const) {
    await desk.platform.call(putSubscription, {
      params: { fan: fan.external_id },
      body: { status, ends_at: new Date(Date.now() + hours * 3_600_000).toISOString() },
    });
  }
  await buildConversation(desk, { fan: { first_name: 'Cleo' }, status: 'archived' });
  await buildFan(desk, { first_name: null, username: null });
  return rich;
}
