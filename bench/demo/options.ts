import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

export const USAGE = `Shows the whole loop by itself, and measures it: fans join, write, read, react and buy; staff sign in, claim,
answer and offer. All of it through the public interfaces.

  npm run demo -- [options]

  --fans 20        fans, each with an open socket
  --staff 2        staff besides the owner, each signed in, with an open socket
  --rate 5         messages that fans write a second, over all
  --duration 60    seconds
  --json FILE      also writes the report there
  --url URL        a running installation instead of one of its own, which is gone afterwards
  --key KEY        its platform key; or --key-file FILE
  --owner EMAIL    its owner
  --mailbox URL    the page where its codes arrive, as its banner says

Ctrl-C ends it with its report; a second time at once.
`;

export interface DemoOptions {
  readonly fans: number;
  readonly staff: number;
  /** Messages from fans per second. */
  readonly rate: number;
  /** Seconds. */
  readonly duration: number;
  readonly json: string | null;
  /** A running installation to use; null to start a new one. */
  readonly target: {
    readonly url: string;
    readonly key: string;
    readonly owner: string;
    /** The URL of its development mailbox, where sign-in codes arrive. */
    readonly mailbox: string;
  } | null;
}

/** Parses the command line. @returns null for `--help` @throws Error that names the invalid option */
export async function readOptions(args: string[]): Promise<DemoOptions | null> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args,
    options: {
      fans: { ...text, default: '20' },
      staff: { ...text, default: '2' },
      rate: { ...text, default: '5' },
      duration: { ...text, default: '60' },
      json: text,
      url: text,
      key: text,
      'key-file': text,
      owner: { ...text, default: 'owner@example.com' },
      mailbox: text,
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const positive = (name: 'fans' | 'staff' | 'rate' | 'duration') => {
    const number = Number(values[name]);
    if (!(number > 0)) throw new Error(`--${name} must be a number above 0`);
    return number;
  };
  const file = values['key-file'];
  const key = file === undefined ? values.key : (await readFile(file, 'utf8')).trim();
  if (values.url !== undefined && key === undefined) {
    throw new Error('--url needs --key or --key-file');
  }
  if (values.url !== undefined && values.mailbox === undefined) {
    throw new Error('--url needs --mailbox');
  }
  return {
    fans: Math.ceil(positive('fans')),
    staff: Math.ceil(positive('staff')),
    rate: positive('rate'),
    duration: positive('duration'),
    json: values.json ?? null,
    target:
      values.url === undefined
        ? null
        : {
            url: values.url.replace(/\/+$/, ''),
            key: key ?? '',
            owner: values.owner,
            mailbox: values.mailbox ?? '',
          },
  };
}
