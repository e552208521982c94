import { createPlatformClient, type PlatformClient } from '@stagedoor/platform-client';
import { PEOPLE } from '@stagedoor/sample-data/people';
import type { Installation } from '../lib/installation.ts';
import type { Progress } from '../lib/progress.ts';
import { addTeammates, signIn } from '../lib/sign-in.ts';
import { DemoFan, type FanCounts } from './fan.ts';
import { inParallel } from './in-parallel.ts';
import { Ledger } from './ledger.ts';
import { addProducts, type Offered } from './products.ts';
import { DemoStaff, type StaffCounts } from './staff.ts';

/** How many fans join, and how many sockets connect, at once. */
const JOINING = 16;
const CONNECTING = 32;

/** The installation that the demo runs against. `pid` is null if the demo didn't start its server. */
export type Target = Pick<Installation, 'url' | 'pid' | 'mailbox'> & {
  readonly key: string;
  readonly owner: string;
};

/** The participants of a demo and their records. */
export interface World {
  readonly platform: PlatformClient;
  readonly ledger: Ledger;
  readonly fans: readonly DemoFan[];
  /** `fans` plus the fans who only get the mass message. */
  readonly everyone: readonly DemoFan[];
  readonly owner: DemoStaff;
  readonly staff: readonly DemoStaff[];
  /** The product that the mass message offers. Staff don't offer it, because a fan can't buy a product twice. */
  readonly massOffer: Offered;
  readonly fanCounts: FanCounts;
  readonly staffCounts: StaffCounts;
  /** Per second: fans who joined (created, given a link, signed in) and sockets that connected. */
  readonly rates: { joins: number; connects: number };
  /** Background work in progress: replies, reads, purchases. */
  readonly underway: ReadonlySet<Promise<unknown>>;
  leave(): void;
}

/** Creates the staff and the fans, signs them in and connects their sockets. */
export async function gather(
  at: Target,
  options: { readonly fans: number; readonly staff: number; readonly campaign: number },
  progress: Progress,
  signal: AbortSignal,
): Promise<World> {
  const { url, mailbox } = at;
  const ledger = new Ledger();
  const underway = new Set<Promise<unknown>>();
  const doing = (work: Promise<unknown>) => {
    const kept = work.finally(() => underway.delete(kept));
    underway.add(kept);
  };
  const platform = createPlatformClient({ url, key: at.key });
  const staffCounts: StaffCounts = { claims: 0, reads: 0, reactions: 0, offers: 0 };
  const fanCounts: FanCounts = { reads: 0, reactions: 0, purchases: 0 };

  progress.now('Staff sign in');
  const { token: ownerToken } = await signIn(url, at.owner, mailbox);
  const emails = Array.from({ length: options.staff }, (_, n) => `demo-${n + 1}@example.com`);
  const tokens = await addTeammates(url, ownerToken, emails, mailbox);
  const world = { url, ledger, counts: staffCounts, doing };
  const owner = new DemoStaff(ownerToken, world);
  const staff = tokens.map((token) => new DemoStaff(token, world));
  const [massOffer, ...products] = await addProducts(owner.call);
  if (massOffer === undefined) throw new Error('there is no product');
  const attending = new Map<string, DemoStaff>();
  for (const member of staff) {
    // Every staff socket receives every message. Each conversation is assigned to one member, who attends to it alone.
    await member.connect((event) => {
      const id = event.message.conversation_id;
      if (!attending.has(id)) attending.set(id, staff[attending.size % staff.length] ?? member);
      if (attending.get(id) === member) doing(member.attend(event, products));
    });
  }
  progress.done(`The owner and ${staff.length} staff signed in`);

  const run = Date.now().toString(36);
  const everyone = Array.from({ length: Math.max(options.fans, options.campaign) }, (_, n) => {
    const person = PEOPLE[n % PEOPLE.length];
    if (person === undefined) throw new Error('there are no sample people');
    const fanWorld = { url, platform, ledger, counts: fanCounts, doing };
    return new DemoFan(`demo-${run}-${n + 1}`, person, fanWorld);
  });
  const fans = everyone.slice(0, options.fans);
  const others = everyone.slice(options.fans);
  const count = (what: string, done: number, { length } = fans) =>
    progress.now(`${what}: ${done} of ${length}`);
  let joined = 0;
  const joins = await rateOf(fans.length, () =>
    inParallel(fans, JOINING, signal, async (fan, index) => {
      await fan.join(at.pid === null ? null : addressOf(index));
      count('Fans join', ++joined);
    }),
  );
  let connected = 0;
  const connects = await rateOf(fans.length, () =>
    inParallel(fans.slice(0, joined), CONNECTING, signal, async (fan) => {
      await fan.connect();
      count('Fans open their sockets', ++connected);
    }),
  );
  progress.done(
    `${connected} fans joined (${joins.toFixed(0)}/s) and opened their sockets (${connects.toFixed(0)}/s)`,
  );
  let created = 0;
  await inParallel(others, JOINING, signal, async (fan) => {
    await fan.create();
    count('Fans are created for the mass message', ++created, others);
  });
  if (created > 0) progress.done(`${created} more fans were created for the mass message`);
  return {
    platform,
    ledger,
    fans: fans.slice(0, connected),
    everyone: everyone.filter(({ createdAt }) => createdAt !== ''),
    owner,
    staff,
    massOffer,
    fanCounts,
    staffCounts,
    rates: { joins, connects },
    underway,
    leave() {
      for (const fan of fans) fan.leave();
      for (const member of staff) member.leave();
    },
  };
}

/** Returns a private IP address for each fan, as a proxy would forward it. */
const addressOf = (index: number) =>
  `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;

/** Runs `work`. @returns the rate per second: `count` divided by the duration */
async function rateOf(count: number, work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return count / ((performance.now() - started) / 1000);
}
