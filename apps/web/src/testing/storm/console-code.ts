import { vi } from 'vitest';

/** Loads the app's own modules for one tab. Each tab loads them separately, because they keep state. */
export async function loadConsoleCode() {
  vi.resetModules();
  const [
    live,
    inbox,
    board,
    occasions,
    client,
    sender,
    session,
    actions,
    reading,
    run,
    lists,
    threads,
    cache,
    unsent,
    queue,
  ] = await Promise.all([
    import('../../app/live/live-cache.ts'),
    import('../../app/live/live-inbox.ts'),
    import('../../app/live/board.ts'),
    import('../../app/live/refresh-occasions.ts'),
    import('../../app/live/query-client.ts'),
    import('../../messaging/messages/sender.ts'),
    import('../../lib/server/session.ts'),
    import('../../messaging/conversation/actions.ts'),
    import('../../messaging/thread/mark-read.ts'),
    import('../../messaging/conversation/run-action.ts'),
    import('../../inbox/list/queries.ts'),
    import('../../messaging/messages/queries.ts'),
    import('../../inbox/list/cache.ts'),
    import('../../messaging/messages/unsent.ts'),
    import('../../inbox/queue/actions.ts'),
  ]);
  return {
    ...live,
    ...inbox,
    ...board,
    ...occasions,
    ...client,
    ...sender,
    ...session,
    ...actions,
    ...reading,
    ...run,
    ...lists,
    ...threads,
    ...cache,
    ...unsent,
    ...queue,
  };
}

export type ConsoleCode = Awaited<ReturnType<typeof loadConsoleCode>>;
