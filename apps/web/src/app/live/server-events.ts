import type { ServerEventName } from '@stagedoor/contract/realtime';
import { notifyManager } from '@tanstack/react-query';
import { conversationEvents } from './conversation-events.ts';
import type { EventTable, EventTools, Place } from './event-tools.ts';
import { noteEvents } from './note-events.ts';
import { tagEvents } from './tag-events.ts';
import { teamEvents } from './team-events.ts';

const EVENTS: EventTable = { ...conversationEvents, ...noteEvents, ...tagEvents, ...teamEvents };

/** An event as it arrives: the contract types its payload by its name. */
export interface ReceivedEvent {
  name: ServerEventName;
  payload: unknown;
}

/** Returns an event's position in its conversation's sequence; null if it is applied immediately. */
export function placeOf({ name, payload }: ReceivedEvent): Place | null {
  const event = EVENTS[name];
  return typeof event === 'function' ? null : (event.place?.(payload as never) ?? null);
}

/** Applies an event to the cache. All of its changes are rendered together. */
export function applyEvent({ name, payload }: ReceivedEvent, tools: EventTools): void {
  const event = EVENTS[name];
  const apply = typeof event === 'function' ? event : event.apply;
  notifyManager.batch(() => apply(payload as never, tools));
}
