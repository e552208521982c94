import type { ClientEvent } from '@stagedoor/contract/realtime';
import type { Connection, RealtimeSocket } from '../../lib/server/socket.ts';
import { type Answer, answerCall, type Request } from './model-api.ts';
import { type EmittedEvent, ME, type ModelServer, Refusal } from './model-server.ts';

/** A pending request: not yet received by the server, or answered with the response still on its way. */
interface Call {
  request: Request;
  answer: Answer | null;
  resolve: (response: Response) => void;
  reject: (reason: unknown) => void;
}

const UP: Connection = { status: 'connected', error: null };
const DOWN: Connection = { status: 'reconnecting', error: null };

const TAG_EVENTS: ReadonlySet<string> = new Set(['global_tag_updated', 'global_tag_deleted']);
const UNSEQUENCED: ReadonlySet<string> = new Set(['conversation_removed', ...TAG_EVENTS]);

const takeAt = <T>(items: T[], index: number): T | undefined =>
  items.splice(index % Math.max(1, items.length), 1)[0];

/** Creates a response with only the parts that the app reads. */
const responseOf = ({ status, body }: Answer): Response =>
  ({ ok: status < 300, status, headers: new Headers(), json: async () => body }) as Response;

/** One tab's connection to the server. The storm's commands can deliver its traffic in any order, twice, late or never. */
export class ModelNetwork {
  events: EmittedEvent[] = [];
  /** Events that have arrived once and will arrive again. */
  private repeated: EmittedEvent[] = [];
  calls: Call[] = [];
  private connection: Connection = UP;
  private readonly listeners = new Set<() => void>();
  /** The tab's handler for the socket's events. */
  receive: (event: EmittedEvent) => void = () => undefined;
  private readonly server: ModelServer;

  constructor(server: ModelServer) {
    this.server = server;
  }

  readonly socket: Pick<RealtimeSocket, 'emit' | 'getConnection' | 'subscribe' | 'retry'> = {
    getConnection: () => this.connection,
    subscribe: (listener) => {
      this.listeners.add(listener);
      return () => this.listeners.delete(listener);
    },
    retry: () => undefined,
    emit: (name, payload) => {
      if (this.connection !== UP) return false;
      if (name === 'send_message') this.take(payload as ClientEvent<'send_message'>);
      return true;
    },
  };

  /** Lets the server receive a message over the socket, and confirm or refuse it with an event. */
  private take({ conversation_id, content, tempId }: ClientEvent<'send_message'>): void {
    try {
      const message = this.server.write(conversation_id, ME, tempId, content);
      this.emit({ name: 'message_sent', payload: { tempId, message } });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const payload = { error: error.message, code: 'conversation_not_found' as const, tempId };
      this.emit({ name: 'message_error', payload });
    }
  }

  /** Sends an event to the tab. It is lost while there is no connection. */
  emit(event: EmittedEvent): void {
    if (this.connection === UP) this.events.push(structuredClone(event));
  }

  fetch(url: string, init: RequestInit): Promise<Response> {
    const request: Request = {
      method: init.method ?? 'GET',
      url: new URL(url, 'http://console.test'),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : null,
      key: new Headers(init.headers).get('idempotency-key'),
    };
    return new Promise((resolve, reject) => {
      const call: Call = { request, answer: null, resolve, reject };
      init.signal?.addEventListener('abort', () => {
        this.calls = this.calls.filter((each) => each !== call);
        reject(init.signal?.reason);
      });
      this.calls.push(call);
    });
  }

  /**
   * Delivers one of the pending events; `twice` delivers it again later. Tag events have no version and are emitted only once, so
   * they arrive once and in order.
   */
  deliver(index: number, twice: boolean): void {
    const meant = this.events[index % Math.max(1, this.events.length)];
    if (!meant) return;
    const isOfTags = TAG_EVENTS.has(meant.name);
    const event = (isOfTags && this.events.find(({ name }) => TAG_EVENTS.has(name))) || meant;
    this.events = this.events.filter((each) => each !== event);
    this.receive(structuredClone(event));
    if (twice && !isOfTags) this.repeated.push(event);
  }

  /** Delivers the duplicates. */
  repeat(): void {
    for (const event of this.repeated.splice(0)) this.receive(structuredClone(event));
  }

  /** Drops one of the pending events. `onlySequenced` spares events without a sequence number, whose loss the app can't detect. */
  dropEvent(index: number, onlySequenced: boolean): void {
    const event = this.events[index % Math.max(1, this.events.length)];
    if (!event || (onlySequenced && UNSEQUENCED.has(event.name))) return;
    this.events = this.events.filter((each) => each !== event);
  }

  /** Lets the server receive a request and create its response, which arrives later. */
  receiveRequest(index: number): void {
    const unreceived = this.calls.filter(({ answer }) => answer === null);
    const call = unreceived[index % Math.max(1, unreceived.length)];
    if (call) call.answer = answerCall(this.server, call.request);
  }

  /** Delivers a response. If the server has not received the request yet, it receives the request first. */
  answer(index: number): void {
    const call = takeAt(this.calls, index);
    if (call) call.resolve(responseOf(call.answer ?? answerCall(this.server, call.request)));
  }

  /** Fails a request. The server may or may not have received it. */
  fail(index: number): void {
    takeAt(this.calls, index)?.reject(new TypeError('Failed to fetch'));
  }

  /** Refuses a request as a busy server does. */
  refuse(index: number, status: 429 | 503): void {
    const body = { error: '', code: 'rate_limited' };
    takeAt(this.calls, index)?.resolve(responseOf({ status, body }));
  }

  private become(connection: Connection): void {
    if (this.connection === connection) return;
    this.connection = connection;
    for (const listener of this.listeners) listener();
  }

  /** Drops the connection, with everything that was on its way. */
  cut(): void {
    this.events = [];
    this.repeated = [];
    this.become(DOWN);
    for (const call of this.calls.splice(0)) call.reject(new TypeError('Failed to fetch'));
  }

  restore(): void {
    this.become(UP);
  }
}
