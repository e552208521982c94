import { PRODUCTS, priceCents, productId } from './catalogue.ts';
import type { Filling, Value } from './copy-rows.ts';
import { asUuid, draw, hexOf, KIND, pick, SALT, uuidOf } from './numbers.ts';
import { DAY_MS, iso } from './people.ts';
import { type Plan, type Planned, plannedMessage, waitedSince } from './plan.ts';

/**
 * Frequencies: n means one in n. In order: staff messages that offer a product, fan messages with a picture, messages with a
 * reaction, messages with a quote, and messages followed by a staff note.
 */
const OFFERS = 20;
const PICTURES = 33;
const REACTIONS = 50;
const QUOTES = 33;
const NOTES = 6;
const BOUGHT = 0.3;

const isOneIn = (few: number, salt: number, row: number) => pick(salt, row, few) === 0;
const isOffer = (message: Planned) =>
  !message.fromFan && isOneIn(OFFERS, SALT.offer, message.number);
const isPicture = (message: Planned) =>
  message.fromFan && isOneIn(PICTURES, SALT.picture, message.number);

/** Returns the author's id: an admin's or the fan's. */
const authorOf = (message: Planned, admins: readonly string[]): string =>
  message.fromFan
    ? uuidOf(KIND.fan, message.conversation)
    : (admins[pick(SALT.author, message.number, admins.length)] ?? '');

function attachmentsOf(message: Planned): string {
  const offered = isOffer(message);
  if (!offered && !isPicture(message)) return '[]';
  const id = uuidOf(KIND.attachment, message.number);
  const index = pick(SALT.product, message.number, PRODUCTS);
  const file = { id, type: 'image', key: offered ? 'full' : `uploads/${id}`, thumbnail_key: null };
  const size = { size: 200_000, mime_type: 'image/jpeg', width: 1200, height: 1600 };
  const product = offered && {
    id: productId(index),
    title: `Product ${index + 1}`,
    description: null,
    price_cents: priceCents(index),
    preview_key: 'preview',
  };
  return JSON.stringify([{ ...file, filename: 'picture.jpg', ...size, product: product || null }]);
}

/** Yields all messages in chronological order. */
function* inTime(plan: Plan): Generator<Planned> {
  for (const number of plan.order) yield plannedMessage(plan, number);
}

/**
 * Generates the messages.
 * @param text returns the text of a message
 * @param ends receives the text of each conversation's last message
 */
export function messages(
  plan: Plan,
  admins: readonly string[],
  text: (message: Planned) => string,
  ends: string[],
): Filling {
  return {
    table: 'messages',
    columns:
      'id conversation_id seq from_fan author_id client_message_id payload_hash content reply_to_message_id created_at read_at attachments',
    expected: plan.messages,
    *rows() {
      for (const message of inTime(plan)) {
        const { number, fromFan, at } = message;
        const hex = hexOf(KIND.message, number);
        const id = asUuid(hex);
        const content = text(message);
        if (message.isLast) ends[message.conversation] = content;
        const isUnread = fromFan ? message.isUnread : draw(SALT.read, number) < 0.05;
        const readAt = Math.min(plan.now, Math.ceil(at + draw(SALT.read, -number) * 3 * 3_600_000));
        const quotes = message.seq > 1 && isOneIn(QUOTES, SALT.quote, number);
        yield [
          id,
          uuidOf(KIND.conversation, message.conversation),
          message.seq,
          fromFan,
          authorOf(message, admins),
          fromFan ? id : `temp-${id}`,
          `\\x${hex}${hex}`,
          content,
          quotes ? uuidOf(KIND.message, number - 1) : null,
          iso(at),
          isUnread ? null : iso(readAt),
          attachmentsOf(message),
        ];
      }
    },
  };
}

/** Generates the rows that the analytics count. */
export function sentMessages(plan: Plan, admins: readonly string[]): Filling {
  return {
    table: 'sent_messages',
    columns: 'admin_id sent_at waited_since message_id conversation_id',
    expected: plan.messages / 2,
    *rows() {
      for (const message of inTime(plan)) {
        if (message.fromFan) continue;
        const waited = waitedSince(plan, message);
        yield [
          authorOf(message, admins),
          iso(message.at),
          waited === null ? null : iso(waited),
          uuidOf(KIND.message, message.number),
          uuidOf(KIND.conversation, message.conversation),
        ];
      }
    },
  };
}

const ofOffer = (message: Planned, admins: readonly string[]): Value[] => [
  uuidOf(KIND.attachment, message.number),
  uuidOf(KIND.message, message.number),
  uuidOf(KIND.conversation, message.conversation),
  uuidOf(KIND.fan, message.conversation),
  productId(pick(SALT.product, message.number, PRODUCTS)),
  authorOf(message, admins),
  priceCents(pick(SALT.product, message.number, PRODUCTS)),
];
const OFFER = 'attachment_id message_id conversation_id fan_id product_id admin_id';

export function offers(plan: Plan, admins: readonly string[]): Filling {
  return {
    table: 'product_sends',
    columns: `${OFFER} price_cents sent_at`,
    expected: Math.ceil(plan.messages / 2 / OFFERS),
    *rows() {
      for (const message of inTime(plan)) {
        if (isOffer(message)) yield [...ofOffer(message, admins), iso(message.at)];
      }
    },
  };
}

/**
 * Generates purchases: fans buy three in ten of the offers within two days, unless they already own the product; 3 % of the
 * purchases are refunded.
 */
export function sales(plan: Plan, admins: readonly string[]): Filling {
  return {
    table: 'purchases',
    columns: `${OFFER} amount_cents payment_reference payload_hash purchased_at refunded_at`,
    expected: Math.ceil((BOUGHT * plan.messages) / 2 / OFFERS),
    *rows() {
      const sold = new Set<number>();
      for (const message of inTime(plan)) {
        const { number, at } = message;
        if (!isOffer(message) || draw(SALT.bought, number) >= BOUGHT) continue;
        const sale = message.conversation * PRODUCTS + pick(SALT.product, number, PRODUCTS);
        if (sold.has(sale)) continue;
        sold.add(sale);
        const bought = Math.min(plan.now, Math.ceil(at + 2 * DAY_MS * draw(SALT.bought, -number)));
        const isRefunded = draw(SALT.refunded, number) < 0.03;
        yield [
          ...ofOffer(message, admins),
          `payment-${number}`,
          `\\x${hexOf(KIND.message, number).repeat(2)}`,
          iso(bought),
          isRefunded ? iso(Math.min(plan.now, bought + DAY_MS)) : null,
        ];
      }
    },
  };
}

export function reactions(plan: Plan, admins: readonly string[]): Filling {
  return {
    table: 'reactions',
    columns: 'message_id user_id emoji created_at',
    expected: Math.ceil(plan.messages / REACTIONS),
    *rows() {
      for (let number = 0; number < plan.messages; number++) {
        if (!isOneIn(REACTIONS, SALT.reaction, number)) continue;
        const message = plannedMessage(plan, number);
        const by = message.fromFan
          ? (admins[pick(SALT.author, number, admins.length)] ?? '')
          : uuidOf(KIND.fan, message.conversation);
        yield [uuidOf(KIND.message, number), by, '❤️', iso(Math.min(plan.now, message.at + 60_000))];
      }
    },
  };
}

export function staffNotes(
  plan: Plan,
  admins: readonly string[],
  nextSentence: () => string,
): Filling {
  return {
    table: 'staff_notes',
    columns: 'id conversation_id author_id client_id payload_hash content created_at',
    expected: Math.ceil(plan.messages / NOTES),
    *rows() {
      for (const { number, conversation, at } of inTime(plan)) {
        if (number % NOTES !== 0) continue;
        const hex = hexOf(KIND.note, number);
        yield [
          asUuid(hex),
          uuidOf(KIND.conversation, conversation),
          admins[pick(SALT.author, number, admins.length)] ?? '',
          `temp-${asUuid(hex)}`,
          `\\x${hex}${hex}`,
          nextSentence(),
          iso(Math.min(plan.now, at + 1)),
        ];
      }
    },
  };
}

export function uploads(plan: Plan): Filling {
  return {
    table: 'uploads',
    columns:
      'id conversation_id owner_id type storage_key filename size mime_type message_id created_at',
    expected: Math.ceil(plan.messages / 2 / PICTURES),
    *rows() {
      for (const message of inTime(plan)) {
        if (!isPicture(message)) continue;
        const id = uuidOf(KIND.attachment, message.number);
        yield [
          id,
          uuidOf(KIND.conversation, message.conversation),
          uuidOf(KIND.fan, message.conversation),
          'image',
          `uploads/${id}`,
          'picture.jpg',
          200_000,
          'image/jpeg',
          uuidOf(KIND.message, message.number),
          iso(message.at),
        ];
      }
    },
  };
}
