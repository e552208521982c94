import { readFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Campaign, createCampaign } from '@stagedoor/contract/selling/campaigns';
import { type MassMessage, messageAbout, send } from './demo/campaign.ts';
import { isSound, type Options, type Report, reportOf, showReport } from './demo/report.ts';
import { watchServer } from './demo/server-use.ts';
import { readBack } from './demo/verify.ts';
import { gather, type Target, type World } from './demo/world.ts';
import { OWNER, PLATFORM_KEY, startInstallation } from './lib/installation.ts';
import { interruption, program, writeReport } from './lib/program.ts';
import { type Progress, showProgress } from './lib/progress.ts';
import { mailboxAt } from './lib/sign-in.ts';

/** Time limit for work in progress to finish. Milliseconds. */
const DRAIN_MS = 30_000;
/** How often `drain` and `sendMassMessage` poll. Milliseconds. */
const POLL_MS = 200;
/** The share of the duration after which the mass message is sent. */
const MASS_MESSAGE_AFTER = 1 / 3;

const USAGE = `Plays a whole day in short, and measures it: fans join, write, read, react and buy; staff sign in, claim, reply and
offer; the owner sends a mass message. All of it through the public interfaces.

  npm run demo -- [options]

  --fans 20        fans, each with an open socket
  --staff 2        staff besides the owner, each signed in, with an open socket
  --rate 5         messages per second from all fans
  --duration 60    seconds
  --campaign 1000  fans in the audience of a mass message: those above, and others who do nothing
  --no-campaign    sends no mass message
  --json FILE      also writes the report to a file
  --url URL        a running installation; without it, a new one is started and deleted afterwards
  --key KEY        its platform key; or --key-file FILE
  --owner EMAIL    its owner
  --mailbox URL    its page of sign-in codes, as its banner says

Ctrl-C ends the demo with its report; a second Ctrl-C ends it immediately.
`;

const OPTIONS = {
  fans: 20,
  staff: 2,
  rate: 5,
  duration: 60,
  campaign: 1000,
  'no-campaign': false,
  json: null,
  url: null,
  key: null,
  'key-file': null,
  owner: OWNER,
  mailbox: null,
} as const;

/** Runs the demo. Fails if anything was lost, duplicated, out of order or failed. */
export const main = program(USAGE, OPTIONS, async ({ url, mailbox, owner, json, ...given }) => {
  const options = given['no-campaign'] ? { ...given, campaign: 0 } : given;
  const progress = showProgress(process.stdout);
  const signal = interruption();
  if (url === null) {
    progress.now('Starting an installation');
    // The server trusts `X-Forwarded-For`, as behind a proxy, so that each fan has their own IP address.
    const own = await startInstallation({ env: { TRUST_PROXY: 'on' } });
    const at = {
      url: own.url,
      pid: own.pid,
      mailbox: own.mailbox,
      key: PLATFORM_KEY,
      owner: OWNER,
    };
    try {
      return await perform(at, options, json, progress, signal);
    } finally {
      await own.dispose();
    }
  }
  const file = options['key-file'];
  const key = file === null ? options.key : (await readFile(file, 'utf8')).trim();
  if (key === null) throw new Error('--url needs --key or --key-file');
  if (mailbox === null) throw new Error('--url needs --mailbox');
  const at = { url: url.replace(/\/+$/, ''), pid: null, mailbox: mailboxAt(mailbox), key, owner };
  return perform(at, options, json, progress, signal);
});

async function perform(
  at: Target,
  options: Options,
  json: string | null,
  progress: Progress,
  signal: AbortSignal,
): Promise<boolean> {
  progress.done(`The installation is at ${at.url}`);
  const world = await gather(at, options, progress, signal);
  let report: Report;
  try {
    const watched = await watchServer(at.pid);
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    const [seconds, campaign] = await Promise.all([
      letWrite(world, options, progress, signal),
      sendMassMessage(world, options, progress, signal),
    ]);
    await drain(world, progress);
    delay.disable();
    const server = (await watched?.stop()) ?? null;
    progress.now('Reading everything back');
    // Not canceled by `signal`: an interrupted demo still checks its confirmed messages.
    const stored = await readBack(world, campaign, AbortSignal.timeout(10 * 60_000));
    progress.done('Read everything back');
    const ownDelay = { p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 };
    report = reportOf(world, options, { seconds, stored, server, ownDelay });
  } finally {
    world.leave();
  }
  showReport(report);
  await writeReport(json, report);
  return isSound(report);
}

/** Has random idle fans write at the requested rate. @returns how many seconds they wrote for */
async function letWrite(
  { fans, ledger, fanCounts, staffCounts }: World,
  { rate, duration }: Options,
  progress: Progress,
  signal: AbortSignal,
): Promise<number> {
  const started = performance.now();
  const elapsed = () => (performance.now() - started) / 1000;
  for (let sends = 1; elapsed() < duration && !signal.aborted && fans.length > 0; sends++) {
    const free = fans.filter(({ busy }) => !busy);
    const writer = free[Math.floor(Math.random() * free.length)];
    void writer?.write();
    progress.now(
      `${elapsed().toFixed(0)} of ${duration} s: ${ledger.confirmed.size} messages confirmed, ${staffCounts.claims} conversations claimed, ${fanCounts.purchases} pictures bought`,
    );
    const wait = (sends / rate - elapsed()) * 1000;
    if (wait > 0) await sleep(wait, undefined, { signal }).catch(() => undefined);
  }
  return elapsed();
}

/** Sends fans a mass message with an offer, except those with messages that staff have not read. @returns null if none was sent */
async function sendMassMessage(
  { owner, everyone, massOffer }: World,
  { campaign, duration }: Options,
  progress: Progress,
  signal: AbortSignal,
): Promise<MassMessage | null> {
  if (campaign === 0) return null;
  const wait = duration * 1000 * MASS_MESSAGE_AFTER;
  await sleep(wait, undefined, { signal }).catch(() => undefined);
  const created = everyone.map(({ createdAt }) => createdAt).toSorted();
  const [since] = created.slice(-campaign);
  if (signal.aborted || since === undefined) return null;
  const body = {
    ...messageAbout(massOffer.id),
    // Leaves out the other fans that a running installation may have.
    audience: { rule: { all: [{ field: 'joined_at', op: 'gte', value: since } as const] } },
    exclude: { unread: true },
  };
  const { id } = (await owner.call(createCampaign, { body })).data;
  progress.done('The owner starts a mass message');
  const toText = ({ counts: { audience, sent, skipped } }: Campaign) =>
    `Mass message: sent to ${sent} of ${audience} fans, ${skipped} skipped`;
  const sent = await send(owner.call, id, POLL_MS, (sending) => progress.now(toText(sending)));
  progress.done(toText(sent));
  return { id, since };
}

/** Waits for replies, reads and purchases in progress to finish and for the last events to arrive. */
async function drain({ underway, fans, ledger }: World, progress: Progress): Promise<void> {
  progress.now('Waiting for the last replies');
  const busy = () =>
    underway.size > 0 ||
    fans.some((fan) => fan.busy || fan.stillLocked > 0) ||
    ledger.deliveries().missing > 0;
  const deadline = Date.now() + DRAIN_MS;
  while (busy() && Date.now() < deadline) await sleep(POLL_MS);
  // Duplicate events arrive slightly after the first.
  await sleep(5 * POLL_MS);
}
