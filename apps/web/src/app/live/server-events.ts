import type { FanTag } from '@stagedoor/contract/fans/fans';
import type { GlobalTag } from '@stagedoor/contract/fans/tags';
import type { ServerEventName } from '@stagedoor/contract/realtime';
import { notifyManager, type QueryClient } from '@tanstack/react-query';
import {
  dropFromLibrary,
  putInLibrary,
  withTagDeleted,
  withTagUpdated,
} from '../../fans/tags/cache.ts';
import { globalTagsOptions } from '../../fans/tags/queries.ts';
import { patchQuery } from '../../lib/server/patch-queries.ts';
import { conversationEvents } from './conversation-events.ts';
import type { EventTable, EventTools, Position } from './event-tools.ts';
import { changeFanTags, refreshTagLists } from './live-inbox.ts';
import { noteEvents } from './note-events.ts';
import { teamEvents } from './team-events.ts';

function changeTag(tools: EventTools, tagId: string, change: (tags: FanTag[]) => FanTag[]): void {
  changeFanTags(tools.client, change);
  refreshTagLists(tools.client);
  tools.onTag(tagId, change);
}

function changeLibrary(client: QueryClient, change: (library: GlobalTag[]) => GlobalTag[]): void {
  patchQuery(client, globalTagsOptions.queryKey, change);
}

const tagEvents = {
  global_tag_updated({ tag }, tools) {
    changeTag(tools, tag.id, (tags) => withTagUpdated(tags, tag));
    changeLibrary(tools.client, (library) => putInLibrary(library, tag));
  },
  global_tag_deleted({ id }, tools) {
    changeTag(tools, id, (tags) => withTagDeleted(tags, id));
    changeLibrary(tools.client, (library) => dropFromLibrary(library, id));
  },
} satisfies Partial<EventTable>;

const EVENTS: EventTable = { ...conversationEvents, ...noteEvents, ...tagEvents, ...teamEvents };

/** A received event. The contract defines the payload's type for each name. */
export interface ReceivedEvent {
  name: ServerEventName;
  payload: unknown;
}

/** Returns an event's position in its conversation's sequence; null if it is applied immediately. */
export function positionOf({ name, payload }: ReceivedEvent): Position | null {
  const event = EVENTS[name];
  return typeof event === 'function' ? null : (event.position?.(payload as never) ?? null);
}

/** Applies an event to the cache. All of its changes are rendered together. */
export function applyEvent({ name, payload }: ReceivedEvent, tools: EventTools): void {
  const event = EVENTS[name];
  const apply = typeof event === 'function' ? event : event.apply;
  notifyManager.batch(() => apply(payload as never, tools));
}
