import type { FanHome } from '@stagedoor/contract/platform/fan-app';
import type { FanServerEvent, FanServerEventName } from '@stagedoor/contract/platform/fan-realtime';
import { confirmPending, EMPTY_OUTBOX, type Outbox } from '../features/composer/state.ts';
import { previewOf } from '../features/thread/message-text.ts';
import {
  applyMessage,
  applyRead,
  EMPTY_THREAD,
  type Shown,
  shownOf,
  type ThreadState,
} from '../features/thread/state.ts';

/** All that the client knows, of one fan. */
export interface FanState {
  /** Null until the server, or what the browser kept, told it. */
  readonly home: FanHome | null;
  readonly thread: ThreadState;
  readonly outbox: Outbox;
  /** Whether the server was heard: `kept` shows what the browser had. */
  readonly load: 'loading' | 'kept' | 'loaded' | 'failed';
  readonly connection: 'connecting' | 'live' | 'lost';
  /** The creator's newest message that came while the page was open, for those who hear the page. */
  readonly heard: { readonly id: string; readonly text: string } | null;
}

export const INITIAL: FanState = {
  home: null,
  thread: EMPTY_THREAD,
  outbox: EMPTY_OUTBOX,
  load: 'loading',
  connection: 'connecting',
  heard: null,
};

const NOTHING: Shown = { messages: [], hasMore: false, hasGap: false };
let lastShown: { thread: ThreadState; fanId: string; shown: Shown } | null = null;

/** What is shown of the state's conversation; the same for the same. */
export function shownIn({ home, thread }: FanState): Shown {
  if (home === null) return NOTHING;
  if (lastShown?.thread !== thread || lastShown.fanId !== home.fan.id)
    lastShown = { thread, fanId: home.fan.id, shown: shownOf(thread, home.fan.id) };
  return lastShown.shown;
}

/** How many of the creator's messages the fan has not read. */
export function unreadIn(state: FanState): number {
  const { messages } = shownIn(state);
  return messages.filter((each) => each.sender_id !== state.home?.fan.id && each.read_at === null)
    .length;
}

type Told = {
  [N in FanServerEventName]: { name: N; payload: FanServerEvent<N> };
}[FanServerEventName];

/** What an event of the server makes of the state. */
export function applyEvent(state: FanState, told: Told): FanState {
  switch (told.name) {
    case 'new_message': {
      const { message, version, client_id } = told.payload;
      const isNew = !state.thread.snapshots.has(message.id);
      const isOwn = message.sender_id === state.home?.fan.id;
      return {
        ...state,
        thread: applyMessage(state.thread, message, version),
        outbox:
          client_id === null ? state.outbox : confirmPending(state.outbox, client_id, message.id),
        heard: isNew && !isOwn ? { id: message.id, text: previewOf(message) } : state.heard,
      };
    }
    case 'message_updated': {
      const { message, version } = told.payload;
      return { ...state, thread: applyMessage(state.thread, message, version) };
    }
    case 'messages_read':
      return { ...state, thread: applyRead(state.thread, told.payload) };
    case 'creator_updated': {
      const { creator } = told.payload;
      return state.home === null ? state : { ...state, home: { ...state.home, creator } };
    }
    default:
      return state;
  }
}

/** An event as it came over the socket. */
export const toldBy = (name: FanServerEventName, payload: unknown): Told =>
  ({ name, payload }) as Told;
