import type { ServerEventName } from '@stagedoor/contract/realtime';
import { notifyManager } from '@tanstack/react-query';
import { conversationEvents } from './conversation-events.ts';
import type { EventHandlers, EventTools } from './event-tools.ts';
import { noteEvents } from './note-events.ts';
import { tagEvents } from './tag-events.ts';
import { teamEvents } from './team-events.ts';

/** The handler for each server event. */
const HANDLERS: EventHandlers = {
  ...conversationEvents,
  ...noteEvents,
  ...tagEvents,
  ...teamEvents,
};

/** Applies an event to the cache. All of its changes are rendered together. */
export function handleServerEvent(
  name: ServerEventName,
  payload: unknown,
  tools: EventTools,
): void {
  const handle = HANDLERS[name] as (event: unknown, tools: EventTools) => void;
  notifyManager.batch(() => handle(payload, tools));
}
