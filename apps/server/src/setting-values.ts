/** What a parser answers to a value that it does not take. */
export class Mistake {
  /** What the setting takes, to follow its name: 'must be …'. */
  readonly expectation: string;
  constructor(expectation: string) {
    this.expectation = expectation;
  }
}

/** A whole number. */
export const integer = (min: number, max: number) => (value: string) => {
  const number = Number(value);
  return /^\d+$/.test(value) && number >= min && number <= max
    ? number
    : new Mistake(`must be a whole number from ${min} to ${max}`);
};

/** A text of at least so many characters. */
export const atLeast = (chars: number) => (value: string) =>
  value.length >= chars ? value : new Mistake(`must be at least ${chars} characters`);

/** A number of days; at most a hundred years, which no date overflows. */
export const days = (min: number) => integer(min, 36_500);

/** A URL of one of these protocols, each with its colon. */
export const url = (protocols: readonly string[]) => (value: string) =>
  protocols.includes(protocolOf(value))
    ? value
    : new Mistake(`must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`);

/** Names of hosts, separated by commas; `*.` before one stands for all names below it. */
export function hosts(value: string): readonly string[] | Mistake {
  const names = value
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const label = '[a-z0-9]([a-z0-9-]*[a-z0-9])?';
  return names.every((name) => new RegExp(`^(\\*\\.)?(${label}\\.)+${label}$`).test(name))
    ? names
    : new Mistake('must be host names separated by commas, such as push.example.com');
}

function protocolOf(value: string): string {
  return URL.canParse(value) ? new URL(value).protocol : '';
}

/** As Fastify takes it. */
export function trustProxy(value: string): boolean | string | number | Mistake {
  if (value === 'true' || value === 'on') return true;
  if (value === 'false' || value === 'off') return false;
  if (/^\d+$/.test(value)) return Number(value);
  return /^[0-9a-fA-F.:/, a-z]+$/.test(value)
    ? value
    : new Mistake('must be on, off, a number of hops, or a list of addresses');
}
