import * as z from 'zod/mini';
import { lookupId } from '../primitives.ts';

/**
 * How the fan client, in an iframe, and the platform's page around it talk: by `postMessage`, each to the other's exact
 * origin, each ignoring what does not come from the other's window and origin. The page's half is `/fan/embed.js`; the
 * client finds the page's origin in its own URL, which the server signed for that origin alone.
 */
const framed = <const T extends string>(type: T) => ({
  /** The protocol's version. */
  stagedoor: z.literal(1),
  type: z.literal(type),
});

/** What a message offers, by its ids. */
const offer = { message_id: lookupId, attachment_id: lookupId };

/** What the client tells the page. */
export const EmbedNotice = z.discriminatedUnion('type', [
  /** The client listens: sent once, when it has started, and before anything else. */
  z.object(framed('ready')),
  /** How many of the creator's messages the fan has not read: at first and at each change. */
  z.object({ ...framed('unread'), count: z.int() }),
  /** The fan wants to buy what the platform's page is to sell them; `amount` in USD. */
  z.object({ ...framed('purchase-requested'), ...offer, amount: z.number() }),
  /** The session is over, or its link was too old: the client waits for a new one. */
  z.object(framed('session-expired')),
  /** A page that can't be shown in a frame, such as one to pay on: the page around it is to go there. */
  z.object({ ...framed('navigate'), url: z.string() }),
]);
export type EmbedNotice = z.infer<typeof EmbedNotice>;

/** What the page tells the client. */
export const EmbedCommand = z.discriminatedUnion('type', [
  /** A new session's URL, as the platform got it; the client takes the link out of it and stays where it is. */
  z.object({ ...framed('session'), url: z.string() }),
  /** The purchase was paid, or the fan gave up: the client asks the server which. */
  z.object({ ...framed('purchase-settled'), ...offer }),
]);
export type EmbedCommand = z.infer<typeof EmbedCommand>;
