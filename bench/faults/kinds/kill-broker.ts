import { setTimeout as sleep } from 'node:timers/promises';
import { addAdmin, removeAdmin } from '@stagedoor/contract/team/admins';
import { currentAdmin, requestOtp, verifyOtp } from '@stagedoor/contract/team/auth';
import { io } from 'socket.io-client';
import { until } from '../../../apps/server/test/until.ts';
import { type Call, CallError, caller } from '../../lib/calls.ts';
import type { Installation } from '../../lib/installation.ts';
import { codeOf, signIn } from '../../lib/sign-in.ts';
import type { Fault } from '../fault.ts';
import { brokerOf, type TwoNodes, twoNodes } from '../two-nodes.ts';
import type { World } from '../world.ts';

/** Time limit for a removed admin's sockets to close. Milliseconds. */
const OUT_WITHIN = 1_000;
const POLL_MS = 10;
/** How many wrong attempts a code allows. */
const TRIES = 5;

/** Kills the Redis that two nodes share, and restarts it at the end of the fault. */
export function killBroker(nodes: TwoNodes = twoNodes()): Fault {
  return {
    name: 'kill-broker',
    title: 'Redis between two nodes is killed, and started again empty',
    installation: nodes.installation,
    between: nodes.between,
    async run(world, signal) {
      const { installation, ledger, seconds, log, late } = world;
      const both = [installation, nodes.second] as const;
      const end = Date.now() + seconds * 1000;
      const confirmedBefore = ledger.count('confirmed');
      await nodes.redis.kill();
      log('Redis is down');

      const outAfter = await removal(world, both);
      if (outAfter > OUT_WITHIN)
        late(`a removed admin kept a socket for ${outAfter.toFixed(0)} ms`);
      const broken = await guessing(world, both);
      while (Date.now() < end && !signal.aborted) await sleep(POLL_MS);
      await until('a message is confirmed', () => ledger.count('confirmed') > confirmedBefore);
      const confirmed = ledger.count('confirmed') - confirmedBefore;
      for (const node of both) {
        await until('a node notices', async () => (await brokerOf(node)) === 'away');
      }

      await nodes.redis.start();
      const back = performance.now();
      for (const node of both) {
        await until('it finds Redis', async () => (await brokerOf(node)) === 'ok');
      }
      const figures = {
        'away for': `${seconds} s`,
        'confirmed meanwhile': confirmed,
        'a removed admin was out after': `${outAfter.toFixed(0)} ms`,
        'nodes found Redis again after': `${(performance.now() - back).toFixed(0)} ms`,
      };
      return { figures, broken };
    },
  };
}

type Node = Pick<Installation, 'url' | 'mailbox'>;

/**
 * Removes an admin and checks that every node refuses their requests.
 * @returns milliseconds from the removal until the admin's sockets on all nodes are closed
 */
async function removal(world: World, nodes: readonly [Node, ...Node[]]): Promise<number> {
  const [{ url, mailbox }] = nodes;
  const owner = caller({ url, token: world.ownerToken });
  const email = 'leaving@example.com';
  const { data } = await owner(addAdmin, { body: { email, role: 'support' } });
  const { token } = await signIn(url, email, mailbox);
  const sockets = nodes.map((node) =>
    io(node.url, { transports: ['websocket'], auth: { token }, forceNew: true }),
  );
  try {
    await until('the sockets are open', () => sockets.every(({ connected }) => connected));
    await owner(removeAdmin, { params: { id: data.id } });
    const removed = performance.now();
    await until('the sockets are closed', () => sockets.every(({ connected }) => !connected));
    const ms = performance.now() - removed;
    for (const node of nodes) {
      await caller({ url: node.url, token })(currentAdmin, {}).then(() => {
        throw new Error('a removed admin is still answered');
      }, refusal);
    }
    return ms;
  } finally {
    for (const socket of sockets) socket.disconnect();
  }
}

/** Tries wrong codes on both nodes in turn, then the right one. @returns a line for each request that should have failed */
async function guessing(world: World, nodes: readonly [Node, ...Node[]]): Promise<string[]> {
  const broken: string[] = [];
  const anonymous = nodes.map(({ url }) => caller({ url, token: null, patience: 1 }));
  const on = (turn: number) => anonymous[turn % anonymous.length] as Call;
  const [{ url, mailbox }] = nodes;
  const email = 'guessed@example.com';
  await caller({ url, token: world.ownerToken })(addAdmin, { body: { email, role: 'support' } });
  const code = await codeOf(url, email, mailbox);
  await on(1)(requestOtp, { body: { email } }).then(
    () => broken.push('another node mailed another code within the minute'),
    refusal,
  );
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  for (let turn = 0; turn <= TRIES; turn++) {
    const body = { email, code: turn === TRIES ? code : wrong };
    await on(turn)(verifyOtp, { body }).then(
      () => broken.push(`the code signed in at try ${turn + 1}`),
      refusal,
    );
  }
  return broken;
}

function refusal(error: unknown): void {
  if (!(error instanceof CallError) || error.status >= 500) throw error;
}
