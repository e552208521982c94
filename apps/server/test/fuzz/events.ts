import { type ClientEventName, clientEvents } from '@stagedoor/contract/realtime';
import fc from 'fast-check';
import {
  connectFanSocket,
  connectSocket,
  type FanSocket,
  type StaffSocket,
} from '../socket-client.ts';
import { until } from '../until.ts';
import { nearlyValid, valid } from './from-schema.ts';
import { hostileName, hostileText, hostileValue } from './values.ts';
import { type FuzzWorld, letIn } from './world.ts';

/** An input to a socket: an event, or a packet that the client's library never writes. */
export type FuzzEvent =
  | { readonly kind: 'event'; readonly name: string; readonly args: readonly unknown[] }
  | { readonly kind: 'packet'; readonly text: string };

const PACKETS = [
  '2',
  '2[',
  '2{}',
  '2[]',
  '2["send_message"',
  '2["send_message",{}]',
  '2[null,{}]',
  '2[{"toString":1},{}]',
  '2["disconnect"]',
  '2["connect_error",{}]',
  '2["newListener"]',
  '21["send_message",{}]',
  '299999999999999999999["send_message",{}]',
  '51-["send_message",{"_placeholder":true,"num":0}]',
  '59999999-["x"]',
  '5-["x"]',
  '3["x"]',
  '31["x"]',
  '4"x"',
  '9',
  '',
  '0',
  '0{"token":1}',
  '0/nowhere,{}',
  '0/fan,{"token":"x"}',
  '2/fan,["x"]',
  '2/nowhere,["x"]',
  '1',
  '1/nowhere,',
  '\u0000',
  `2["send_message",${'['.repeat(5_000)}${']'.repeat(5_000)}]`,
  `2["send_message","${'x'.repeat(70_000)}"]`,
];

const packet: fc.Arbitrary<FuzzEvent> = fc
  .oneof(
    { weight: 3, arbitrary: fc.constantFrom(...PACKETS) },
    { weight: 1, arbitrary: hostileText },
  )
  .map((text) => ({ kind: 'packet', text }));

/** Binary arguments are sent as attachments, which the server has to reassemble. */
const argument: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: hostileValue },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 20 }) },
);

/** Returns inputs to one of the events of the contract. */
export function inputsOf(name: ClientEventName): fc.Arbitrary<FuzzEvent> {
  const schema = clientEvents[name];
  const event = (args: fc.Arbitrary<readonly unknown[]>): fc.Arbitrary<FuzzEvent> =>
    args.map((sent) => ({ kind: 'event', name, args: sent }));
  return fc.oneof(
    { weight: 8, arbitrary: event(fc.tuple(valid(schema))) },
    { weight: 8, arbitrary: event(fc.tuple(nearlyValid(schema))) },
    { weight: 3, arbitrary: event(fc.array(argument, { maxLength: 3 })) },
    { weight: 1, arbitrary: anything },
  );
}

/** Packets, and unknown events. */
export const anything: fc.Arbitrary<FuzzEvent> = fc.oneof(
  packet,
  fc.record({
    kind: fc.constant('event' as const),
    name: fc.oneof(hostileName, fc.constantFrom('error', 'message_sent', 'join', 'data')),
    args: fc.array(argument, { maxLength: 3 }),
  }),
);

interface Line {
  /** @returns what went wrong, or null */
  attempt(input: FuzzEvent): Promise<string | null>;
  close(): void;
}

/** Event names that the client's library refuses to send. */
const RESERVED = new Set([
  'connect',
  'connect_error',
  'disconnect',
  'disconnecting',
  'newListener',
  'removeListener',
]);

function emit(world: FuzzWorld, { socket }: StaffSocket | FanSocket, input: FuzzEvent): void {
  if (input.kind === 'packet') socket.io.engine.write(input.text);
  else if (!RESERVED.has(input.name)) {
    (socket.emit as (name: string, ...args: unknown[]) => unknown).call(
      socket,
      input.name,
      ...input.args.map((arg) => resolved(world, arg)),
    );
  }
}

function resolved(world: FuzzWorld, value: unknown): unknown {
  if (typeof value === 'string') return world.resolve(value);
  if (Array.isArray(value)) return value.map((item) => resolved(world, item));
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => [key, resolved(world, item)]),
  );
}

/**
 * Opens a staff socket that sends and another that only listens. After each input, sends an event that must be refused: the refusal
 * shows that the input has been processed. An input may close the sending socket, but not the listening one.
 */
export async function staffLine(world: FuzzWorld, name: ClientEventName): Promise<Line> {
  const connect = () => connectSocket(world.url, world.staff.support.token);
  let sender = await connect();
  const listener = await connectSocket(world.url, world.staff.manager.token);
  let inputs = 0;
  let isSpent = false;

  return {
    async attempt(input) {
      if (isSpent) sender.close();
      if (!sender.socket.connected) sender = await connect();
      // The server may close the socket some time after a packet. A new socket keeps the next input from being blamed for that.
      isSpent = input.kind === 'packet';
      const before = sender.everything().length;
      const last = `last-${++inputs}`;
      emit(world, sender, input);
      sender.socket.emit('send_message', { tempId: last } as never);
      const isLast = ({ payload }: { payload: unknown }) =>
        (payload as { tempId?: string } | undefined)?.tempId === last;
      const settled = await until('an answer, or the end of the socket', () => {
        if (!sender.socket.connected) return 'ended';
        return sender.everything().some(isLast) && 'answered';
      }).catch(() => null);
      if (settled === null) return 'no answer, and the socket is still open';
      if (settled === 'ended' && input.kind === 'event' && JSON.stringify(input).length < 40_000) {
        return 'the server hung up on an event';
      }
      const answers = sender
        .everything()
        .slice(before)
        .filter((event) => !isLast(event));
      const own = answers.some((event) => ANSWERS.includes(event.name));
      if (settled === 'answered' && input.kind === 'event' && input.name === name && !own) {
        if (UNANSWERED.test(name)) return listenerFault(listener, world);
        return lateAnswer(sender, before, isLast);
      }
      if (JSON.stringify(answers).includes('internal_error')) return 'the server failed';
      return listenerFault(listener, world);
    },
    close() {
      sender.close();
      listener.close();
    },
  };
}

/** Presence events are answered only if they are refused. */
const UNANSWERED = /^(join|leave)_conversation$|^typing_/;
const ANSWERS = ['message_error', 'message_sent', 'reaction_toggled'];

/** Waits for an answer that needs the database and so arrives after an immediate refusal. @returns what is wrong, or null */
async function lateAnswer(
  { everything }: StaffSocket,
  before: number,
  isLast: (event: { payload: unknown }) => boolean,
): Promise<string | null> {
  const answer = await until('an answer', () =>
    everything()
      .slice(before)
      .find((event) => ANSWERS.includes(event.name) && !isLast(event)),
  ).catch(() => null);
  if (answer === null) return 'an event without an answer';
  return JSON.stringify(answer).includes('internal_error') ? 'the server failed' : null;
}

function listenerFault(listener: StaffSocket, { staff }: FuzzWorld): string | null {
  if (!listener.socket.connected) return 'another socket was closed';
  if (listener.received('message_error').length > 0) return 'another socket received the error';
  const received = JSON.stringify(listener.everything());
  return received.includes(staff.support.token) ? 'another socket received the token' : null;
}

/** The number of sockets that a fan opens before another fan takes over: fewer than the limit of handshakes per minute. */
const FAN_HANDSHAKES = 100;

/** Opens a fan's socket that sends unknown events, and another fan's socket that must receive nothing. */
export async function fanLine(world: FuzzWorld): Promise<Line> {
  let { token } = world.fan('fan');
  let handshakes = 0;
  // If an input ends its socket, the next socket counts towards the fan's limit of handshakes per minute.
  const connect = async () => {
    if (++handshakes % FAN_HANDSHAKES === 0) token = (await letIn(world.app)).token;
    return connectFanSocket(world.url, token);
  };
  let sender = await connect();
  const listener = await connectFanSocket(world.url, world.fan('otherFan').token);
  return {
    async attempt(input) {
      if (!sender.socket.connected) sender = await connect();
      emit(world, sender, input);
      if (sender.everything().length > 0) return 'the fan’s socket was answered';
      // Anything that the server emits in response arrives before the reply to this later request.
      const home = await world.app.anonymous.raw('GET', '/api/health');
      if (home.status !== 200) return 'the server is not healthy';
      if (!listener.socket.connected) return 'another fan’s socket was closed';
      return listener.everything().length > 0 ? 'another fan received an event' : null;
    },
    close() {
      sender.close();
      listener.close();
    },
  };
}
