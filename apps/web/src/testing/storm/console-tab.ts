import type { Conversation, InboxStats } from '@stagedoor/contract/inbox/conversations';
import { InfiniteQueryObserver, type QueryClient, QueryObserver } from '@tanstack/react-query';
import type { InboxListParams } from '../../inbox/list/queries.ts';
import type { Action } from '../../messaging/conversation/actions.ts';
import type { PendingMessage } from '../../messaging/messages/outbox.ts';
import type { ConsoleCode } from './console-code.ts';
import type { ModelNetwork } from './model-network.ts';
import { ME } from './model-server.ts';

const ADMIN = {
  ...ME,
  email: 'mango@staff.example',
  role: 'support' as const,
  permissions: { can_manage_admins: false, can_manage_messages: true },
};

const FIRST_LIST: InboxListParams = {
  filter: 'unread',
  sort: 'unread_first',
  tag: null,
  segment: null,
};

/** A tab of the console without its components. It observes the same queries and offers the same actions. */
export class ConsoleTab {
  readonly network: ModelNetwork;
  readonly client: QueryClient;
  params = FIRST_LIST;
  openId: string | null = null;
  /** Every list that was shown, by its parameters. */
  readonly shown = new Map<string, InboxListParams>();
  private readonly code: ConsoleCode;
  private readonly page = Object.assign(new EventTarget(), { visibilityState: 'visible' as const });
  private readonly sender;
  private readonly board;
  private readonly list;
  private readonly stats;
  private readonly stops: (() => void)[] = [];
  private leave: () => void = () => undefined;

  constructor(code: ConsoleCode, network: ModelNetwork, name: string) {
    this.code = code;
    this.network = network;
    code.startSession(name, ADMIN);
    code.clearUnsent();
    const { socket } = network;
    this.client = code.createQueryClient();
    this.sender = code.createSender({ client: this.client, socket });
    this.board = code.boardOf(this.client, ME.id);
    const { client, sender } = this;
    const live = code.createLiveCache({ client, adminId: ME.id, sender });
    network.receive = (event) => live.receive(event.name, event.payload);
    this.stops.push(live.start());
    const page = {
      document: this.page as unknown as Document,
      window: this.page as unknown as Window,
    };
    this.stops.push(code.watchOccasions({ socket, live }, page));
    this.list = new InfiniteQueryObserver(client, code.inboxListOptions(FIRST_LIST));
    this.stops.push(this.list.subscribe(() => undefined));
    this.stats = new QueryObserver(client, client.defaultQueryOptions(code.inboxStatsOptions));
    this.stops.push(this.stats.subscribe(() => undefined));
    this.show(FIRST_LIST);
    // The socket connects after the first fetches.
    live.refreshSoon();
  }

  /** Shows another tab, order or tag of the inbox. */
  show(params: InboxListParams): void {
    this.params = params;
    this.shown.set(JSON.stringify(params), params);
    this.list.setOptions(this.code.inboxListOptions(params));
  }

  /** Loads more, as scrolling to the end of the list does. */
  loadMore(): void {
    const { hasNextPage, isFetching, isFetchNextPageError } = this.list.getCurrentResult();
    if (hasNextPage && !isFetching && !isFetchNextPageError)
      void this.list.fetchNextPage({ cancelRefetch: false });
  }

  /** Retries, as the list's Retry button does. */
  retryList(): void {
    const { isError, isFetchNextPageError } = this.list.getCurrentResult();
    if (isFetchNextPageError) void this.list.fetchNextPage({ cancelRefetch: false });
    else if (isError) void this.list.refetch();
  }

  /** Opens a conversation next to the list; null closes it. */
  open(id: string | null): void {
    if (id === this.openId) return;
    this.leave();
    this.openId = id;
    this.leave = () => undefined;
    if (id === null) return;
    const { client, code } = this;
    const one = new QueryObserver<Conversation>(client, code.conversationOptions(id) as never);
    const thread = new QueryObserver(client, code.threadOptions(id));
    const outbox = new QueryObserver(client, code.outboxOptions(id));
    const stops = [one, thread, outbox].map((observer) => observer.subscribe(() => undefined));
    this.leave = () => {
      for (const stop of stops) stop();
    };
  }

  /** Leaves a conversation that the server doesn't know, as the page does. Retries other failures, as their Retry buttons do. */
  follow(): void {
    if (this.openId === null) return;
    const one = ['conversation', this.openId] as const;
    const messages = [...one, 'messages'] as const;
    const { error, status } = this.client.getQueryState(one) ?? {};
    if (status !== 'error') {
      if (this.client.getQueryState(messages)?.status === 'error')
        void this.client.refetchQueries({ queryKey: messages, exact: true });
    } else if (error && 'status' in error && error.status === 404) this.open(null);
    else void this.client.refetchQueries({ queryKey: one, exact: true });
  }

  /** Makes the page visible again. */
  look(): void {
    this.page.dispatchEvent(new Event('visibilitychange'));
  }

  send(content: string): boolean {
    if (this.openId === null) return false;
    return this.sender.send({ conversation_id: this.openId, content, replyTo: null });
  }

  /** Marks the messages read, as the app does once the newest message has been in view for a second. */
  read(): void {
    const id = this.openId;
    const upToId = id === null ? undefined : this.thread()?.messages.at(-1)?.id;
    if (id === null || upToId === undefined) return;
    const { client, board, network } = this;
    this.code
      .markReadUpTo({ client, socket: network.socket, board, conversationId: id, upToId })
      .catch(() => undefined);
  }

  /** Runs an action of the header. Its result shows at once, and is reverted if the action fails. */
  act(action: Action): void {
    const id = this.openId;
    const before = id === null ? null : this.board.known(id);
    if (id === null || before === null || !this.code.actionsFor(before, ADMIN).includes(action))
      return;
    const { client, board } = this;
    void this.code.runAction({ client, board, admin: ADMIN }, id, action);
  }

  /** Marks the conversation unread, as its menu does. */
  markUnread(): void {
    const { code, client, board, openId: id } = this;
    if (id !== null) code.markAsUnread({ client, board }, id).catch(() => undefined);
  }

  snooze(until: string | null): void {
    const { code, client, board, openId: id } = this;
    if (id !== null) code.snoozeUntil({ client, board }, id, until).catch(() => undefined);
  }

  endSnooze(): void {
    const { code, client, board, openId: id } = this;
    if (id !== null) code.endSnooze({ client, board }, id).catch(() => undefined);
  }

  /** Saves tags, as the dialog of a fan's tags does. */
  saveTags(ids: readonly string[]): void {
    const id = this.openId;
    if (id === null) return;
    const tags = ids.map((globalTagId) => ({ isGlobal: true, globalTagId }));
    this.code.saveTags(this.board, id, tags).catch(() => undefined);
  }

  loadOlder(): void {
    if (this.openId === null) return;
    this.code
      .loadOlder(this.client, this.openId, new AbortController().signal)
      .catch(() => undefined);
  }

  /** Returns the loaded rows and whether they are the whole list; null while nothing is loaded. */
  rows(): { rows: Conversation[]; isWhole: boolean; total: number } | null {
    const { data, hasNextPage } = this.list.getCurrentResult();
    if (!data) return null;
    return {
      rows: this.code.inboxRows(data),
      isWhole: !hasNextPage,
      total: this.code.inboxTotal(data),
    };
  }

  tiles(): InboxStats | undefined {
    return this.client.getQueryData(['inbox', 'stats']);
  }

  conversation(): Conversation | undefined {
    return this.client.getQueryData(['conversation', this.openId ?? '']);
  }

  thread() {
    return this.openId === null ? null : this.code.threadIn(this.client, this.openId);
  }

  pending(): readonly PendingMessage[] {
    const all = this.client.getQueriesData<{ pending: PendingMessage[] }>({
      queryKey: ['conversation'],
    });
    return all.flatMap(([key, data]) => (key[2] === 'outbox' && data ? data.pending : []));
  }

  isBusy(): boolean {
    return (
      this.client.isFetching() > 0 || this.pending().some(({ status }) => status === 'sending')
    );
  }

  close(): void {
    this.leave();
    for (const stop of this.stops) stop();
    this.client.clear();
  }
}
