import { vi } from 'vitest';

/** What a tab runs: the app's own modules, loaded once for each tab, for each keeps a state of its own. */
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
    settle,
    lists,
    threads,
    cache,
    unsent,
    queue,
  ] = await Promise.all([
    import('../../app/live-cache.ts'),
    import('../../app/live-inbox.ts'),
    import('../../app/board.ts'),
    import('../../app/refresh-occasions.ts'),
    import('../../app/query-client.ts'),
    import('../../features/conversation/sender.ts'),
    import('../../lib/session.ts'),
    import('../../features/conversation/actions.ts'),
    import('../../features/conversation/mark-read.ts'),
    import('../../features/conversation/settle-action.ts'),
    import('../../features/inbox/queries.ts'),
    import('../../features/conversation/queries.ts'),
    import('../../features/inbox/cache.ts'),
    import('../../features/conversation/unsent.ts'),
    import('../../features/queue/actions.ts'),
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
    ...settle,
    ...lists,
    ...threads,
    ...cache,
    ...unsent,
    ...queue,
  };
}

export type ConsoleCode = Awaited<ReturnType<typeof loadConsoleCode>>;
