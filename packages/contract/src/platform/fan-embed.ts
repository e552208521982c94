import * as z from 'zod/mini';
import { lookupId } from '../primitives.ts';
import { tipInput } from '../selling/tips.ts';

/**
 * The protocol between the fan client in an iframe and the platform's page around it. Both use `postMessage` with the
 * other's exact origin and ignore messages from any other window or origin. The page's side is `/fan/embed.js`. The client
 * reads the page's origin from its own URL, which the server signed for that origin.
 */
const framed = <const T extends string>(type: T) => ({
  /** The protocol's version. */
  stagedoor: z.literal(1),
  type: z.literal(type),
});

const offer = { message_id: lookupId, attachment_id: lookupId };

/** Messages from the client to the page. */
export const EmbedNotice = z.discriminatedUnion('type', [
  /** The client has started and is listening. Sent once, before any other message. */
  z.object(framed('ready')),
  /** The number of the creator's messages that the fan hasn't read. Sent at the start and on each change. */
  z.object({ ...framed('unread'), count: z.int() }),
  /** The fan wants to buy an offer, and the platform's page takes the payment. `amount` is in USD. */
  z.object({ ...framed('purchase-requested'), ...offer, amount: z.number() }),
  /** The fan wants to tip, and the platform's page takes the payment. `amount` is in USD. */
  z.object({ ...framed('tip-requested'), ...tipInput }),
  /** The session ended or its link expired. The client waits for a new one. */
  z.object(framed('session-expired')),
  /** Asks the page to navigate to a URL that can't be shown in a frame, such as a payment page. */
  z.object({ ...framed('navigate'), url: z.string() }),
]);
export type EmbedNotice = z.infer<typeof EmbedNotice>;

/** Messages from the page to the client. */
export const EmbedCommand = z.discriminatedUnion('type', [
  /** A new session's URL as the platform received it. The client extracts the link and doesn't navigate. */
  z.object({ ...framed('session'), url: z.string() }),
  /** The fan paid or abandoned the purchase. The client asks the server which. */
  z.object({ ...framed('purchase-settled'), ...offer }),
]);
export type EmbedCommand = z.infer<typeof EmbedCommand>;
