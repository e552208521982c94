import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { claimConversation, markRead } from '@stagedoor/contract/inbox/conversations';
import {
  type Message,
  REACTION_EMOJI,
  type SendMessageInput,
  sendMessage,
} from '@stagedoor/contract/messaging/messages';
import type {
  ClientToServerEvents,
  ServerEvent,
  ServerToClientEvents,
} from '@stagedoor/contract/realtime';
import { PHRASES } from '@stagedoor/sample-data/phrases';
import { createRandom } from '@stagedoor/sample-data/random';
import type { Socket } from 'socket.io-client';
import { type Call, CallError, caller } from '../lib/calls.ts';
import { openSocket } from './connect.ts';
import type { Ledger } from './ledger.ts';
import type { Offered } from './products.ts';

/** How long staff wait before they handle a message. Milliseconds. */
const ANSWERS_AFTER = [200, 1_500] as const;
/** The shares of fan messages that get a reply, of replies that offer a product, and of fan messages that get a reaction. */
const ANSWERS = 0.5;
const OFFERS = 0.1;
const REACTS = 0.05;
/** A message that isn't confirmed within `CONFIRM_MS` is resent over HTTP for up to `RESEND_MS`, as in the console. */
const CONFIRM_MS = 5_000;
const RESEND_MS = 30_000;
const RESEND_EVERY_MS = 1_000;

const random = createRandom();

/** What staff did besides replying. */
export interface StaffCounts {
  claims: number;
  reads: number;
  reactions: number;
  offers: number;
}

interface StaffWorld {
  readonly url: string;
  readonly ledger: Ledger;
  readonly counts: StaffCounts;
  readonly doing: (work: Promise<unknown>) => void;
}

/** A staff member with a session. */
export class DemoStaff {
  readonly call: Call;
  readonly #token: string;
  readonly #world: StaffWorld;
  readonly #confirmations = new Map<string, (event: ServerEvent<'message_sent'> | null) => void>();
  readonly #claimed = new Set<string>();
  /** The conversation and product of each offer. No product is offered to a fan twice, because the fan may already own it. */
  readonly #offered = new Set<string>();
  #socket: Socket<ServerToClientEvents, ClientToServerEvents> | null = null;

  constructor(token: string, world: StaffWorld) {
    this.#token = token;
    this.#world = world;
    this.call = caller({ url: world.url, token });
  }

  /** Opens a socket. @param onMessage called with each message from a fan @throws Error when the handshake is refused */
  async connect(onMessage: (event: ServerEvent<'new_message'>) => void): Promise<void> {
    const { url, ledger } = this.#world;
    const socket: Socket<ServerToClientEvents, ClientToServerEvents> = await openSocket<
      ServerEvent<'new_message'>
    >(url, this.#token, ledger, null, (event) => {
      if (event.message.author === null) onMessage(event);
    });
    this.#socket = socket;
    socket.on('message_sent', (event) => this.#confirmations.get(event.tempId)?.(event));
    socket.on('message_error', ({ tempId, error }) => {
      ledger.error(error);
      if (tempId !== undefined) this.#confirmations.get(tempId)?.(null);
    });
  }

  /** Claims the conversation, marks the message as read and, at random, reacts to it or replies. */
  async attend({ message }: ServerEvent<'new_message'>, products: readonly Offered[]) {
    const id = message.conversation_id;
    await sleep(random.between(...ANSWERS_AFTER));
    try {
      if (!this.#claimed.has(id)) await this.#claim(id);
      await this.call(markRead, { params: { id }, body: { up_to_message_id: message.id } });
      this.#world.counts.reads++;
      if (random.chance(REACTS)) {
        const emoji = random.pick(REACTION_EMOJI);
        this.#socket?.emit('toggle_reaction', {
          message_id: message.id,
          conversation_id: id,
          emoji,
        });
        this.#world.counts.reactions++;
      }
      if (random.chance(ANSWERS)) await this.#answer(id, products);
    } catch (error) {
      this.#world.ledger.error(error);
    }
  }

  async #claim(id: string): Promise<void> {
    this.#claimed.add(id);
    try {
      await this.call(claimConversation, { params: { id } });
      this.#world.counts.claims++;
    } catch (error) {
      // 409: a teammate has claimed the conversation. It can still be replied to.
      if (!(error instanceof CallError) || error.status !== 409) throw error;
    }
  }

  async #answer(conversation: string, products: readonly Offered[]): Promise<void> {
    const { ledger, counts } = this.#world;
    const picked = random.chance(OFFERS) ? random.pick(products) : null;
    const isNew = picked !== null && !this.#offered.has(`${conversation} ${picked.id}`);
    const offer = isNew ? picked : null;
    if (offer !== null) this.#offered.add(`${conversation} ${offer.id}`);
    const tempId = `temp-${randomUUID()}`;
    const input = {
      conversation_id: conversation,
      content: offer === null ? answerLine() : 'I made this for you. Tell me what you think!',
      attachments:
        offer === null
          ? []
          : [{ product_id: offer.id, price: offer.price, is_paid: true as const }],
    };
    ledger.sent++;
    const sentAt = performance.now();
    const confirmed = this.#confirmation(tempId);
    this.#socket?.emit('send_message', { tempId, ...input });
    const message = (await confirmed)?.message ?? (await this.#resend(tempId, input));
    if (message === null) ledger.failed++;
    else {
      ledger.confirm(message, 'staff', sentAt);
      if (offer !== null) counts.offers++;
    }
  }

  /** Resends the message over HTTP with the same idempotency key, so that it is never stored twice. */
  async #resend(tempId: string, input: SendMessageInput): Promise<Message | null> {
    const until = performance.now() + RESEND_MS;
    while (performance.now() < until) {
      try {
        const headers = { 'idempotency-key': tempId };
        return (await this.call(sendMessage, { headers, body: input })).data;
      } catch (error) {
        this.#world.ledger.error(error);
        await sleep(RESEND_EVERY_MS);
      }
    }
    return null;
  }

  #confirmation(tempId: string): Promise<ServerEvent<'message_sent'> | null> {
    return new Promise((resolve) => {
      const settle = (event: ServerEvent<'message_sent'> | null) => {
        clearTimeout(late);
        this.#confirmations.delete(tempId);
        resolve(event);
      };
      const late = setTimeout(() => settle(null), CONFIRM_MS);
      this.#confirmations.set(tempId, settle);
    });
  }

  leave(): void {
    this.#socket?.disconnect();
  }
}

function answerLine(): string {
  const line = random.pick(random.pick(PHRASES.en).answers);
  return line.replaceAll(/[,\s]*\{name\}/g, '').replaceAll(/\{\w+\}/g, 'Low Tide');
}
