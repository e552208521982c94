import type { ServerEvent, ServerEventName } from '@stagedoor/contract/realtime';

/**
 * Events outside any conversation's sequence: replies to the sender, a conversation's removal, and events about tags and staff.
 */
const UNSEQUENCED: ReadonlySet<ServerEventName> = new Set([
  'message_sent',
  'message_error',
  'conversation_removed',
  'statements_changed',
  'shared_updated',
  'staff_note_saved',
  'staff_note_deleted',
  'mentions_read',
  'handovers_changed',
  'global_tag_updated',
  'global_tag_deleted',
  'admin_updated',
  'pins_updated',
  'staff_updated',
  'draft_updated',
  'presence',
]);

/** Returns the conversation and version of an event in a conversation's sequence; null for other events. */
export function placeOf(
  name: ServerEventName,
  payload: unknown,
): { id: string; version: number } | null {
  if (UNSEQUENCED.has(name)) return null;
  if (name === 'conversation_updated') {
    const { conversation } = payload as ServerEvent<'conversation_updated'>;
    return { id: conversation.id, version: conversation.version };
  }
  const { conversation_id: id, version } = payload as ServerEvent<'message_read'>;
  return { id, version };
}
