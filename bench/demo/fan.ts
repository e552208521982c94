import { type FanVisibleMessage, REACTION_EMOJI } from '@stagedoor/contract/messaging/messages';
import { openFanSession } from '@stagedoor/contract/platform/fan-app';
import { FAN_NAMESPACE, type ServerToFanEvents } from '@stagedoor/contract/platform/fan-realtime';
import type { PlatformClient } from '@stagedoor/platform-client';
import { io, type Socket } from 'socket.io-client';
import { opener, reply } from '../../apps/server/src/sample/dialogue.ts';
import type { SamplePerson } from '../../apps/server/src/sample/people.ts';
import { createRandom } from '../../apps/server/src/sample/random.ts';
import { caller } from './calls.ts';
import type { Ledger, Watcher } from './ledger.ts';

/** Milliseconds after which a fan has read an answer. */
const READS_AFTER = [300, 2_000] as const;
const REACTS = 0.15;
const BUYS = 0.6;

const random = createRandom();

interface FanWorld {
  readonly url: string;
  readonly platform: PlatformClient;
  readonly ledger: Ledger;
  readonly counts: FanCounts;
  /** Work that goes on by itself, to be waited for. */
  readonly doing: (work: Promise<unknown>) => void;
}

/** What fans did beside writing. */
export interface FanCounts {
  reads: number;
  reactions: number;
  purchases: number;
}

/** A fan: known to the platform, and at the fan client with an open socket. */
export class DemoFan {
  readonly id: string;
  conversationId = '';
  /** Whether a message of theirs is on its way: people write one after the other. */
  busy = false;
  readonly #person: SamplePerson;
  readonly #world: FanWorld;
  #token = '';
  #socket: Socket<ServerToFanEvents> | null = null;
  #answered = false;
  /** Of what was paid for and is still locked here: when that was, by the attachment's id. */
  readonly #paid = new Map<string, number>();

  constructor(id: string, person: SamplePerson, world: FanWorld) {
    this.id = id;
    this.#person = person;
    this.#world = world;
  }

  /** The platform makes the fan and a link; the fan client exchanges it for a session. @param from the fan's address */
  async join(from: string | null): Promise<void> {
    const { platform, url } = this.#world;
    const { firstName, lastName, username, timezone } = this.#person;
    const profile = { first_name: firstName, last_name: lastName, username, timezone };
    this.conversationId = (await platform.putFan(this.id, profile)).conversation_id;
    const { link } = await platform.createSession(this.id);
    const { data } = await caller({ url, token: null, from })(openFanSession, { body: { link } });
    this.#token = data.token;
  }

  /** Opens the fan's socket. @throws Error when the handshake is refused */
  connect(): Promise<void> {
    const socket: Socket<ServerToFanEvents> = io(this.#world.url + FAN_NAMESPACE, {
      transports: ['websocket'],
      auth: { token: this.#token },
      forceNew: true,
    });
    this.#socket = socket;
    return new Promise((resolve, reject) => {
      let watcher: Watcher | null = null;
      socket.on('connect', () => {
        if (watcher !== null) this.#world.ledger.interrupted(watcher);
        watcher ??= this.#world.ledger.watch('fan', this.conversationId);
        resolve();
      });
      socket.on('connect_error', (error) => {
        // Without an answer it tries again by itself; a refusal is the last word.
        if (watcher === null && !socket.active) reject(error);
      });
      socket.on('new_message', ({ message, client_id }) => {
        if (watcher !== null) this.#world.ledger.arrive(watcher, message);
        if (client_id === null) this.#world.doing(this.#hear(message));
      });
      socket.on('message_updated', ({ message }) => this.#see(message));
    });
  }

  /** Writes to the creator, and knows then whether it was stored. */
  async write(): Promise<void> {
    const { ledger, platform } = this.#world;
    const say = this.#answered && random.chance(0.5) ? reply : opener;
    this.busy = true;
    ledger.sent++;
    const sentAt = performance.now();
    try {
      const message = await platform.sendMessage(this.id, { content: say(this.#person, random) });
      ledger.confirm(message, 'fan', sentAt);
    } catch (error) {
      ledger.failed++;
      ledger.error(error);
    } finally {
      this.busy = false;
    }
  }

  /** Reads what the creator wrote; may react to it, and buy what it offers. */
  async #hear(message: FanVisibleMessage): Promise<void> {
    const { platform, counts, ledger } = this.#world;
    this.#answered = true;
    await new Promise((resolve) => setTimeout(resolve, random.between(...READS_AFTER)));
    try {
      await platform.markRead(this.id, message.id);
      counts.reads++;
      if (random.chance(REACTS)) {
        await platform.react(this.id, message.id, random.pick(REACTION_EMOJI));
        counts.reactions++;
      }
      for (const offer of message.attachments) {
        if (offer.locked && random.chance(BUYS)) await this.#buy(message.id, offer);
      }
    } catch (error) {
      ledger.error(error);
    }
  }

  async #buy(messageId: string, { id, price }: { id: string; price: number | null }) {
    this.#paid.set(id, performance.now());
    await this.#world.platform.recordPurchase({
      fan: this.id,
      message_id: messageId,
      attachment_id: id,
      amount: price ?? 0,
      payment_reference: `demo-${id}`,
    });
    this.#world.counts.purchases++;
  }

  #see(message: FanVisibleMessage): void {
    for (const { id, locked } of message.attachments) {
      const paidAt = this.#paid.get(id);
      if (locked || paidAt === undefined) continue;
      this.#paid.delete(id);
      this.#world.ledger.purchaseToUnlocked.add(performance.now() - paidAt);
    }
  }

  /** Things paid for that never unlocked here. */
  get stillLocked(): number {
    return this.#paid.size;
  }

  leave(): void {
    this.#socket?.disconnect();
  }
}
