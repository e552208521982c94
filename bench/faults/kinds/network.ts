import type { Random } from '../../../apps/server/src/sample/random.ts';
import { startTcpProxy, type TcpProxy } from '../../../apps/server/test/tcp-proxy.ts';
import { pause } from '../client.ts';
import type { Fault } from '../fault.ts';

/** One way in which a wire misbehaves for a while. */
interface Strike {
  readonly title: string;
  begin(wire: TcpProxy, random: Random): void;
  /** How long it lasts, and how long all is well before the next. Milliseconds. */
  readonly lasts: readonly [min: number, max: number];
  readonly rests: readonly [min: number, max: number];
}

const STRIKES = {
  latency: {
    title:
      'everything takes 20 to 300 ms longer each way, and comes through a narrow line at times',
    begin(wire, random) {
      const latency = random.between(20, 300);
      const bytesPerSecond = random.between(100_000, 1_000_000);
      wire.slow({
        latency,
        jitter: random.between(0, latency),
        ...(random.chance(0.3) && { bytesPerSecond }),
      });
    },
    lasts: [1_000, 3_000],
    rests: [200, 500],
  },
  cut: {
    title: 'all connections end, and new ones are turned away for up to 3 s',
    begin: (wire) => wire.cut(),
    lasts: [200, 3_000],
    rests: [300, 1_500],
  },
  'half-open': {
    title: 'connections stay and come about, and nothing goes through for up to 8 s',
    begin: (wire) => wire.freeze(),
    lasts: [500, 8_000],
    rests: [500, 2_000],
  },
  stranded: {
    title: 'connections fall silent for good, without a word to either end; new ones are well',
    begin: (wire) => wire.strand(),
    lasts: [2_000, 4_000],
    rests: [1_000, 2_000],
  },
  reset: {
    title: 'all connections are reset, and come about anew',
    begin: (wire) => wire.reset(),
    lasts: [0, 0],
    rests: [200, 800],
  },
  'drop-after-commit': {
    title: 'the server is heard and its reply is lost, or breaks off in the middle',
    begin(wire, random) {
      if (random.chance(0.7)) wire.loseReplies();
      else wire.dropAfter(Math.floor(random.between(100, 4_000)));
    },
    lasts: [200, 1_000],
    rests: [200, 800],
  },
} as const satisfies Record<string, Strike>;

/** One kind of strike again and again, or several by turns. The clients go through a proxy; the last strike ends healed. */
function networkFault(name: string, title: string, strikes: readonly Strike[]): Fault {
  let wire: TcpProxy | null = null;
  return {
    name,
    title,
    async between(port) {
      const proxy = await startTcpProxy({ port, host: '127.0.0.1' });
      wire = proxy;
      return { url: `http://127.0.0.1:${proxy.port}`, close: () => proxy.close() };
    },
    async run({ seconds, log }, signal, random) {
      if (wire === null) throw new Error('nothing stands between');
      const until = Date.now() + seconds * 1000;
      let struck = 0;
      while (Date.now() < until && !signal.aborted) {
        const strike = strikes[struck % strikes.length] ?? random.pick(strikes);
        strike.begin(wire, random);
        await pause(random.between(...strike.lasts));
        wire.restore();
        log(`struck ${++struck} times`);
        await pause(random.between(...strike.rests));
      }
      const { connections, refused, broken, swallowed } = wire.counts;
      return { figures: { strikes: struck, connections, refused, broken, swallowed } };
    },
  };
}

/** Each kind by itself, and all of them by turns. */
export const networkFaults: readonly Fault[] = [
  ...Object.entries(STRIKES).map(([name, strike]) => networkFault(name, strike.title, [strike])),
  networkFault('network', 'all of these by turns', Object.values(STRIKES)),
];
