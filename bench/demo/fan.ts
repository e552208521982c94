import { setTimeout as sleep } from 'node:timers/promises';
import { type FanVisibleMessage, REACTION_EMOJI } from '@stagedoor/contract/messaging/messages';
import { openFanSession } from '@stagedoor/contract/platform/fan-app';
import {
  FAN_NAMESPACE,
  type FanServerEvent,
  type ServerToFanEvents,
} from '@stagedoor/contract/platform/fan-realtime';
import type { PlatformClient } from '@stagedoor/platform-client';
import { opener, reply } from '@stagedoor/sample-data/dialogue';
import type { SamplePerson } from '@stagedoor/sample-data/people';
import { createRandom } from '@stagedoor/sample-data/random';
import type { Socket } from 'socket.io-client';
import { caller } from '../lib/calls.ts';
import { openSocket } from './connect.ts';
import type { Ledger } from './ledger.ts';

/** How long a fan takes to read a reply. Milliseconds. */
const READS_AFTER = [300, 2_000] as const;
const REACTS = 0.15;
const BUYS = 0.6;

const random = createRandom();

interface FanWorld {
  readonly url: string;
  readonly platform: PlatformClient;
  readonly ledger: Ledger;
  readonly counts: FanCounts;
  /** Registers background work so that the demo waits for it. */
  readonly doing: (work: Promise<unknown>) => void;
}

/** What fans did besides writing. */
export interface FanCounts {
  reads: number;
  reactions: number;
  purchases: number;
}

/** A fan who exists on the platform and uses the fan client with an open socket. */
export class DemoFan {
  readonly id: string;
  conversationId = '';
  createdAt = '';
  /** Whether a message is being sent: a fan sends one at a time. */
  busy = false;
  readonly #person: SamplePerson;
  readonly #world: FanWorld;
  #token = '';
  #socket: Socket<ServerToFanEvents> | null = null;
  #answered = false;
  /** The payment time of each attachment that is paid for but still locked, by attachment id. */
  readonly #paid = new Map<string, number>();

  constructor(id: string, person: SamplePerson, world: FanWorld) {
    this.id = id;
    this.#person = person;
    this.#world = world;
  }

  /** Creates the fan on the platform. */
  async create(): Promise<void> {
    const { firstName, lastName, username, timezone } = this.#person;
    const profile = { first_name: firstName, last_name: lastName, username, timezone };
    const fan = await this.#world.platform.putFan(this.id, profile);
    this.conversationId = fan.conversation_id;
    this.createdAt = fan.created_at;
  }

  /** Creates the fan and exchanges a link for a session. @param from the fan's IP address */
  async join(from: string | null): Promise<void> {
    const { platform, url } = this.#world;
    await this.create();
    const { link } = await platform.createSession(this.id);
    const { data } = await caller({ url, token: null, from })(openFanSession, { body: { link } });
    this.#token = data.token;
  }

  /** Opens the fan's socket. @throws Error when the handshake is refused */
  async connect(): Promise<void> {
    const { url, ledger, doing } = this.#world;
    const socket: Socket<ServerToFanEvents> = await openSocket<FanServerEvent<'new_message'>>(
      url + FAN_NAMESPACE,
      this.#token,
      ledger,
      this.conversationId,
      ({ message, client_id }) => {
        if (client_id === null) doing(this.#handle(message));
      },
    );
    this.#socket = socket;
    socket.on('message_updated', ({ message }) => this.#see(message));
  }

  /** Sends a message to the creator and records in the ledger whether the server confirmed it. */
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

  /** Reads a message from the creator and, at random, reacts to it or buys its attachments. */
  async #handle(message: FanVisibleMessage): Promise<void> {
    const { platform, counts, ledger } = this.#world;
    this.#answered = true;
    await sleep(random.between(...READS_AFTER));
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
      this.#world.ledger.purchaseToUnlocked.push(performance.now() - paidAt);
    }
  }

  /** The number of purchased attachments that have not unlocked yet. */
  get stillLocked(): number {
    return this.#paid.size;
  }

  leave(): void {
    this.#socket?.disconnect();
  }
}
