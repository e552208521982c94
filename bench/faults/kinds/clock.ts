import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { listMessages, MESSAGE_PAGE_MAX } from '@stagedoor/contract/messaging/messages';
import { addAdmin } from '@stagedoor/contract/team/admins';
import { requestOtp, verifyOtp } from '@stagedoor/contract/team/auth';
import { until } from '../../../apps/server/test/until.ts';
import { CallError, caller } from '../../lib/calls.ts';
import { codeOf, type Mailbox } from '../../lib/sign-in.ts';
import type { Fault } from '../fault.ts';
import type { World } from '../world.ts';

const HOUR_MS = 3_600_000;
const SHIFT_CLOCK = fileURLToPath(new URL('../shift-clock.mjs', import.meta.url));
/** Time for the server to notice that its clock was moved. Milliseconds. */
const NOTICED_AFTER = 100;
/** How far the correct clocks of two machines may differ. Milliseconds. */
const TOLERANCE = 2_000;

let file = '';

/** Moves the server's clock under load and across restarts. The database's clock stays correct. */
export const clock: Fault = {
  name: 'clock',
  title: 'the server’s clock jumps by an hour, forwards and backwards',
  async installation() {
    file = path.join(await mkdtemp(path.join(tmpdir(), 'stagedoor-clock-')), 'shift');
    await writeFile(file, '0');
    return {
      nodeArgs: ['--import', pathToFileURL(SHIFT_CLOCK).href],
      env: { CLOCK_SHIFT_FILE: file },
    };
  },
  async run(world, signal) {
    const { installation, seconds, log } = world;
    const { url, mailbox } = installation;
    const broken: string[] = [];
    const first = world.ledger.sends[0]?.startedAt ?? performance.now();
    const began = Date.now() - (performance.now() - first);
    const jump = async (ms: number) => {
      await writeFile(file, String(ms));
      await sleep(NOTICED_AFTER);
      log(`the server's clock is ${ms / HOUR_MS} h off`);
    };
    const emails = ['ahead', 'behind', 'old', 'witness'].map((name) => `${name}@example.com`);
    const asOwner = caller({ url, token: world.ownerToken });
    for (const email of emails) await asOwner(addAdmin, { body: { email, role: 'support' } });
    const [ahead = '', behind = '', old = '', witness = ''] = emails;
    const codes = new Map<string, string>();
    for (const email of [ahead, behind, old]) codes.set(email, await codeOf(url, email, mailbox));
    await makeOld(world, old);
    const expect = async (email: string, isIn: boolean) => {
      if ((await signsIn(url, email, codes.get(email) ?? '')) === isIn) return;
      broken.push(`the code '${email}' ${isIn ? 'should' : 'should not'} have signed in`);
    };

    const each = (seconds * 1000) / 4;
    await jump(HOUR_MS);
    await caller({ url, token: null })(requestOtp, { body: { email: witness } });
    await isShifted(mailbox, witness);
    await expect(ahead, true);
    await sleep(each);
    await jump(-HOUR_MS);
    await expect(behind, true);
    await expect(old, false);
    await sleep(each);
    for (const shift of signal.aborted ? [] : [HOUR_MS, -HOUR_MS]) {
      await jump(shift);
      await world.ledger.yieldToLoop();
      await installation.stop();
      await installation.start();
      await sleep(each);
    }
    const wrong = await wrongTimes(world, began - TOLERANCE, Date.now() + TOLERANCE);
    if (wrong > 0) broken.push(`${wrong} messages have a time that is not the database’s`);
    await jump(0);
    return { figures: { jumps: 4, 'messages with a wrong time': wrong }, broken };
  },
};

/** Backdates an admin's sign-in code in the database by more than five minutes. */
async function makeOld({ installation }: World, email: string): Promise<void> {
  const client = await installation.database.connect();
  try {
    const { rowCount } = await client.query(
      `update login_codes set created_at = created_at - interval '5 minutes 1 second' where email = $1`,
      [email],
    );
    if (rowCount !== 1) throw new Error('there is no code to make old');
  } finally {
    await client.end();
  }
}

/** Waits for an email with the shifted time. @throws Error if the server ignores the shift, so that the run proves nothing */
async function isShifted(mailbox: Mailbox, email: string): Promise<void> {
  await until('the clock is shifted', async () => {
    const [mail] = await mailbox(email);
    return mail !== undefined && Date.parse(mail.at) > Date.now() + HOUR_MS / 2;
  });
}

async function signsIn(url: string, email: string, code: string): Promise<boolean> {
  try {
    await caller({ url, token: null })(verifyOtp, { body: { email, code } });
    return true;
  } catch (error) {
    if (error instanceof CallError && error.status < 500) return false;
    throw error;
  }
}

/** Counts messages with a time outside the range, on the newest page of each conversation. */
async function wrongTimes(world: World, from: number, to: number): Promise<number> {
  const call = caller({ url: world.installation.url, token: world.ownerToken });
  let wrong = 0;
  for (const id of world.fans.keys()) {
    const query = { limit: MESSAGE_PAGE_MAX };
    const { data } = await call(listMessages, { params: { id }, query });
    wrong += data.filter(({ created_at }) => {
      const at = Date.parse(created_at);
      return at < from || at > to;
    }).length;
  }
  return wrong;
}
