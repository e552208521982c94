import type { FanTag } from '@stagedoor/contract/fans/fans';
import type { GlobalTag } from '@stagedoor/contract/fans/tags';
import type { QueryClient } from '@tanstack/react-query';
import {
  dropFromLibrary,
  putInLibrary,
  withTagDeleted,
  withTagUpdated,
} from '../../fans/tags/cache.ts';
import { globalTagsOptions } from '../../fans/tags/queries.ts';
import { patchQueries } from '../../lib/server/patch-queries.ts';
import type { EventTable, EventTools } from './event-tools.ts';
import { changeFanTags, refreshTagLists } from './live-inbox.ts';

function changeTag(tools: EventTools, tagId: string, change: (tags: FanTag[]) => FanTag[]): void {
  changeFanTags(tools.client, change);
  refreshTagLists(tools.client);
  tools.onTag(tagId, change);
}

function changeLibrary(client: QueryClient, change: (library: GlobalTag[]) => GlobalTag[]): void {
  patchQueries(client, { queryKey: globalTagsOptions.queryKey }, change);
}

/** Handlers for events about the library's tags. */
export const tagEvents = {
  global_tag_updated({ tag }, tools) {
    changeTag(tools, tag.id, (tags) => withTagUpdated(tags, tag));
    changeLibrary(tools.client, (library) => putInLibrary(library, tag));
  },
  global_tag_deleted({ id }, tools) {
    changeTag(tools, id, (tags) => withTagDeleted(tags, id));
    changeLibrary(tools.client, (library) => dropFromLibrary(library, id));
  },
} satisfies Partial<EventTable>;
