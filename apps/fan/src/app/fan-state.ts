import type { FanHome } from '@stagedoor/contract/platform/fan-app';
import type { FanServerEvent, FanServerEventName } from '@stagedoor/contract/platform/fan-realtime';
import type { ThreadTip } from '@stagedoor/contract/selling/tips';
import { confirmPending, EMPTY_OUTBOX, type Outbox } from '../features/composer/state.ts';
import { previewOf } from '../features/thread/message-text.ts';
import {
  applyDeleted,
  applyMessage,
  applyRead,
  EMPTY_THREAD,
  type Shown,
  shownOf,
  type ThreadState,
} from '../features/thread/state.ts';

/** All client state of one fan. */
export interface FanState {
  /** Null until it is loaded from the server or from storage. */
  readonly home: FanHome | null;
  readonly thread: ThreadState;
  readonly outbox: Outbox;
  /** `kept` means that stored data is shown until the server responds. */
  readonly load: 'loading' | 'kept' | 'loaded' | 'failed';
  readonly connection: 'connecting' | 'live' | 'lost';
  /** The creator's newest message since the page was opened, for screen readers. */
  readonly newest: { readonly id: string; readonly text: string } | null;
}

export const INITIAL: FanState = {
  home: null,
  thread: EMPTY_THREAD,
  outbox: EMPTY_OUTBOX,
  load: 'loading',
  connection: 'connecting',
  newest: null,
};

interface ShownWithTips extends Shown {
  readonly tips: readonly ThreadTip[];
}

const NOTHING: ShownWithTips = {
  messages: [],
  hasMore: false,
  oldest: null,
  hasGap: false,
  tips: [],
};
let lastShown: { thread: ThreadState; fanId: string; shown: ShownWithTips } | null = null;

/** Returns the messages and tips to show. The same state gives the same object. */
export function shownIn({ home, thread }: FanState): ShownWithTips {
  if (home === null) return NOTHING;
  const { fan, tips } = home;
  if (lastShown?.thread !== thread || lastShown.fanId !== fan.id || lastShown.shown.tips !== tips)
    lastShown = { thread, fanId: fan.id, shown: { ...shownOf(thread, fan.id), tips } };
  return lastShown.shown;
}

export function unreadIn(state: FanState): number {
  const { messages, hasMore } = shownIn(state);
  const received = messages.filter((each) => each.sender_id !== state.home?.fan.id);
  const unread = received.filter((each) => each.read_at === null).length;
  // A read mark covers all older messages, so messages that aren't loaded can be unread only if every loaded one is.
  const isComplete = !hasMore || unread < received.length;
  return isComplete ? unread : Math.max(unread, state.home?.unread_count ?? 0);
}

type FanEvent = {
  [N in FanServerEventName]: { name: N; payload: FanServerEvent<N> };
}[FanServerEventName];

export function applyEvent(state: FanState, event: FanEvent): FanState {
  switch (event.name) {
    case 'new_message': {
      const { message, version, client_id } = event.payload;
      const { home } = state;
      const isReceived =
        !state.thread.snapshots.has(message.id) && message.sender_id !== home?.fan.id;
      return {
        ...state,
        home: isReceived && home ? { ...home, unread_count: home.unread_count + 1 } : home,
        thread: applyMessage(state.thread, message, version),
        outbox:
          client_id === null ? state.outbox : confirmPending(state.outbox, client_id, message.id),
        newest: isReceived ? { id: message.id, text: previewOf(message) } : state.newest,
      };
    }
    case 'message_updated': {
      const { message, version } = event.payload;
      return { ...state, thread: applyMessage(state.thread, message, version) };
    }
    case 'message_deleted':
      return { ...state, thread: applyDeleted(state.thread, event.payload) };
    case 'messages_read':
      return { ...state, thread: applyRead(state.thread, event.payload) };
    case 'creator_updated': {
      const { creator } = event.payload;
      return state.home === null ? state : { ...state, home: { ...state.home, creator } };
    }
    default:
      return state;
  }
}

/** Combines an event's name and payload. */
export const eventOf = (name: FanServerEventName, payload: unknown): FanEvent =>
  ({ name, payload }) as FanEvent;
