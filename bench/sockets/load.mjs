// Holds idle sockets open, on orders from the parent process.
import { answerOrders } from '../lib/live/orders.mjs';
import { connectLive } from '../lib/live/socket.mjs';

/** Concurrent handshakes. */
const AT_ONCE = 64;

const sockets = [];
let expected = 0;
let lost = 0;

const orders = {
  /** Opens the sockets and returns the duration in seconds. */
  async connect({ address, tokens, count }) {
    const started = performance.now();
    expected += count;
    let next = 0;
    const worker = async () => {
      while (next < count) {
        const token = tokens[next++ % tokens.length];
        const where = { address, token, bare: false };
        sockets.push(
          await connectLive(
            where,
            () => undefined,
            () => lost++,
          ),
        );
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    return { seconds: (performance.now() - started) / 1000 };
  },

  /** Returns how many sockets are still open. */
  async count() {
    return { open: expected - lost };
  },
};

answerOrders(orders);
