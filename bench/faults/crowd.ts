import { setTimeout as sleep } from 'node:timers/promises';
import { markRead } from '@stagedoor/contract/inbox/conversations';
import { sendMessage } from '@stagedoor/contract/messaging/messages';
import {
  eraseFan,
  listFanMessages,
  postFanMessage,
  postFanRead,
  recordPurchase,
  recordRefund,
} from '@stagedoor/contract/platform/platform';
import type pg from 'pg';
import { type Call, CallError } from '../lib/calls.ts';

const RETRY_MS = 200;
/** Pause between checking two members for the mass message. Milliseconds. */
const FOLLOW_MS = 50;
const PATIENCE_MS = 300_000;
/** The price of the offers before the campaign. USD. */
const PRICE = 5;

/** A fan who gets a mass message. */
export interface Member {
  readonly fan_id: string;
  readonly external_id: string;
  readonly conversation_id: string;
}

/** The actions of fans while a mass message is being sent, and their results. */
export interface Crowd {
  /** Offers the product to the members who buy it during `act`. */
  offer(productId: string): Promise<void>;
  /**
   * Makes some members buy the product that `offer` offered, erases some, and makes others read the mass message, reply, buy
   * its offer and get a refund, all spread over the campaign.
   * @param campaign.reached waits until the campaign has done this share (0 to 1) of the work during which members act
   */
  act(campaign: {
    readonly reached: (share: number) => Promise<unknown>;
    readonly isFinished: () => boolean;
  }): Promise<void>;
  readonly done: { bought: number; erased: number; read: number; answered: number };
  /** The total paid for the mass message's offers, less refunds. USD cents. */
  readonly cents: number;
}

/** Adds fans with SQL, because adding them through the platform's API would take longer than the campaign. */
export async function addMembers(client: pg.Client, size: number): Promise<Member[]> {
  await client.query(
    `insert into fans (external_id, first_name, username)
      select 'crowd-' || n, 'Fan', 'crowd' || n from generate_series(1, $1::int) n`,
    [size],
  );
  const { rows } = await client.query<Member>(
    `with opened as (
      insert into conversations (fan_id, creator_id)
        select f.id, c.id from fans f, creators c where f.external_id like 'crowd-%' returning id, fan_id
    )
    select f.id as fan_id, f.external_id, o.id as conversation_id
    from opened o join fans f on f.id = o.fan_id order by md5(f.external_id)`,
  );
  await client.query('analyze fans, conversations');
  return rows;
}

/** Assigns actions to members. @param size how many members buy, and how many are erased; twice as many read the mass message */
export function gatherCrowd(
  members: readonly Member[],
  size: number,
  { owner, platform }: { readonly owner: Call; readonly platform: Call },
): Crowd {
  const buyers = members.slice(0, size);
  const leavers = members.slice(size, 2 * size);
  const followers = members.slice(2 * size, 4 * size);
  const offers: { message_id: string; attachment_id: string }[] = [];
  const done = { bought: 0, erased: 0, read: 0, answered: 0 };
  let cents = 0;

  const buy = (
    { external_id: fan }: Member,
    offer: { message_id: string; attachment_id: string },
    amount: number,
  ) =>
    insist(async () => {
      const payment_reference = `payment of ${fan}`;
      await platform(recordPurchase, { body: { fan, ...offer, amount, payment_reference } });
      return payment_reference;
    });

  /** Reads the mass message and, depending on `index`, replies, buys and gets a refund. @returns false if it has not arrived yet */
  async function follow(member: Member, index: number): Promise<boolean> {
    const params = { fan: member.external_id };
    const { data } = await insist(() => platform(listFanMessages, { params }));
    const message = data.find(({ attachments }) => attachments.length > 0);
    if (message === undefined) return false;
    await insist(() => platform(postFanRead, { params, body: { up_to_message_id: message.id } }));
    done.read++;
    if (index % 2 === 0) {
      const content = `Answer of ${member.external_id}`;
      const body = { client_id: content, content };
      const answer = await insist(() => platform(postFanMessage, { params, body }));
      const seen = { up_to_message_id: answer.data.id };
      await insist(() => owner(markRead, { params: { id: member.conversation_id }, body: seen }));
      done.answered++;
    }
    const [offer] = message.attachments;
    if (index % 3 > 0 || offer?.price == null) return true;
    const ids = { message_id: message.id, attachment_id: offer.id };
    const payment_reference = await buy(member, ids, offer.price);
    done.bought++;
    if (index % 15 > 0) cents += Math.round(offer.price * 100);
    else await insist(() => platform(recordRefund, { body: { payment_reference } }));
    return true;
  }

  async function followAll(isFinished: () => boolean): Promise<void> {
    const left = [...followers.entries()];
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [index, member] = next;
      // Checks each member at most once more after the campaign. The check at the end reports messages that never arrived.
      const isLastLook = isFinished();
      if (!(await follow(member, index)) && !isLastLook) left.push(next);
      await sleep(FOLLOW_MS);
    }
  }

  return {
    done,
    get cents() {
      return cents;
    },
    async offer(product_id) {
      for (const { conversation_id, external_id } of buyers) {
        const attachments = [{ product_id, is_paid: true as const, price: PRICE }];
        const { data } = await owner(sendMessage, {
          headers: { 'idempotency-key': `offer to ${external_id}` },
          body: { conversation_id, content: `For ${external_id}`, attachments },
        });
        offers.push({ message_id: data.id, attachment_id: data.attachments[0]?.id ?? '' });
      }
    },
    async act(campaign) {
      const each = async (
        all: readonly Member[],
        act: (member: Member, index: number) => Promise<void>,
      ) => {
        for (const [index, member] of all.entries()) {
          await campaign.reached(index / all.length);
          await act(member, index);
        }
      };
      await Promise.all([
        each(buyers, async (member, index) => {
          const offer = offers[index];
          if (offer !== undefined) await buy(member, offer, PRICE);
          done.bought++;
        }),
        each(leavers, async ({ external_id: fan }) => {
          await insist(() => platform(eraseFan, { params: { fan } }), [404]);
          done.erased++;
        }),
        followAll(campaign.isFinished),
      ]);
    },
  };
}

/**
 * Retries a call until the server accepts or refuses it.
 * @param fine statuses that mean that an earlier attempt succeeded
 * @throws CallError for any other refusal; the last error after five minutes
 */
export async function insist<T>(
  attempt: () => Promise<T>,
  fine: readonly number[] = [],
): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const status = error instanceof CallError ? error.status : 503;
      if (fine.includes(status)) return undefined as T;
      const isRefused = status < 500 && status !== 408 && status !== 429;
      if (isRefused || Date.now() > deadline) throw error;
      await sleep(RETRY_MS);
    }
  }
}
