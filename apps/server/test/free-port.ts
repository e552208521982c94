import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Returns a free port on the loopback address, for a program that can't choose one itself. Another program may take the port
 * first, which is rare and fails loudly.
 */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('no free port');
  return address.port;
}
