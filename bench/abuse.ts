import { setTimeout as sleep } from 'node:timers/promises';
import { putFan } from '@stagedoor/contract/platform/platform';
import { addAdmin, removeAdmin } from '@stagedoor/contract/team/admins';
import { requestOtp } from '@stagedoor/contract/team/auth';
import { measureFlood } from './abuse/flood.ts';
import { caller } from './lib/calls.ts';
import { OWNER, PLATFORM_KEY, startInstallation } from './lib/installation.ts';
import { program, writeReport } from './lib/program.ts';
import { addTeammates, signIn } from './lib/sign-in.ts';
import { median } from './lib/statistics.ts';

const USAGE = `Measures what an attacker can learn or slow down, on an installation of its own.

  npm run bench:abuse -- [--tries 500] [--seconds 10] [--json FILE]

Sign-in: requests codes for as many known, unknown and removed addresses in turn. The medians of the response times must be
within 5 ms of each other. Flood: one socket sends as fast as it can, and reconnects whenever it is disconnected. 99 % of
everyone else's messages must be confirmed within 500 ms.
`;

const MEDIANS_WITHIN_MS = 5;
const OTHERS_P99_MS = 500;

export const main = program(
  USAGE,
  { tries: 500, seconds: 10, json: null },
  async ({ tries, seconds, json }) => {
    const { url, mailbox, dispose } = await startInstallation({ env: { TRUST_PROXY: 'on' } });
    try {
      const { token: owner } = await signIn(url, OWNER, mailbox);
      const medians = await measureSignIn(url, owner, tries);
      const spread = Math.max(...Object.values(medians)) - Math.min(...Object.values(medians));
      const emails = ['f@x.example', 'o@x.example'];
      const [flooder = '', other = ''] = await addTeammates(url, owner, emails, mailbox);
      const asPlatform = caller({ url, token: PLATFORM_KEY });
      const { data: fan } = await asPlatform(putFan, { params: { fan: 'f' }, body: {} });
      const conversation = fan.conversation_id;
      const flood = await measureFlood({ url, flooder, other, conversation, seconds });
      console.table({ ...medians, spread });
      console.table(flood);
      await writeReport(json, { medians, spread, flood });
      return spread <= MEDIANS_WITHIN_MS && flood['others, p99 ms'] < OTHERS_P99_MS;
    } finally {
      await dispose();
    }
  },
);

/** Returns the median response time for each kind of address, in milliseconds. */
async function measureSignIn(url: string, owner: string, tries: number) {
  const asOwner = caller({ url, token: owner });
  const times: Record<'known' | 'unknown' | 'removed', number[]> = {
    known: [],
    unknown: [],
    removed: [],
  };
  const kinds = Object.keys(times) as (keyof typeof times)[];
  for (let number = 0; number < tries; number++) {
    const address = (kind: string) => `${kind}-${number}@x.example`;
    await asOwner(addAdmin, { body: { email: address('known'), role: 'support' } });
    const { data } = await asOwner(addAdmin, {
      body: { email: address('removed'), role: 'support' },
    });
    await asOwner(removeAdmin, { params: { id: data.id } });
    // Rotate the order, so that each kind goes first equally often.
    for (let turn = 0; turn < kinds.length; turn++) {
      const kind = kinds[(number + turn) % kinds.length] ?? 'known';
      const started = performance.now();
      const response = await fetch(`${url}${requestOtp.path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': `10.9.${number % 250}.${turn + 3 * Math.floor(number / 250)}`,
        },
        body: JSON.stringify({ email: address(kind) }),
      });
      await response.text();
      times[kind].push(performance.now() - started);
      if (response.status !== 200) throw new Error(`${kind}: ${response.status}`);
      // Let work after the response, such as sending the email, finish before the next measurement.
      await sleep(5);
    }
  }
  const { known, unknown, removed } = times;
  return { known: median(known), unknown: median(unknown), removed: median(removed) };
}
