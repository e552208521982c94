import { serverUrls } from './db/servers.ts';
import { proxyTrust } from './http/client-address.ts';
import { isRedisUrl } from './realtime/find-redis.ts';

/** A parser's result for a value that it rejects. */
export class Mistake {
  /** The values that the setting accepts, phrased to follow its name: 'must be …'. */
  readonly expectation: string;
  constructor(expectation: string) {
    this.expectation = expectation;
  }
}

export const integer = (min: number, max: number) => (value: string) => {
  const number = Number(value);
  return /^\d+$/.test(value) && number >= min && number <= max
    ? number
    : new Mistake(`must be a whole number from ${min} to ${max}`);
};

export const atLeast = (chars: number) => (value: string) =>
  value.length >= chars ? value : new Mistake(`must be at least ${chars} characters`);

/** Returns the parser of a number of days: at most a hundred years, so that dates don't overflow. */
export const days = (min: number) => integer(min, 36_500);

/** Returns the parser of a URL with one of these protocols, each given with its colon. */
export const url = (protocols: readonly string[]) => (value: string) =>
  protocols.includes(protocolOf(value))
    ? value
    : new Mistake(`must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`);

/**
 * Returns the parser of a PostgreSQL URL, which may name several hosts.
 * @param attributes the accepted values of `target_session_attrs`
 */
const databaseUrl = (attributes: readonly string[]) => (value: string) => {
  const [first] = serverUrls(value);
  if (first === undefined) {
    return new Mistake(
      /^postgres(ql)?:\/\//.test(value)
        ? 'must be postgres://user:password@host:port/database; several hosts are separated by commas'
        : 'must be a URL that begins with postgres:// or postgresql://',
    );
  }
  const asked = new URL(first).searchParams.get('target_session_attrs');
  return asked === null || attributes.includes(asked)
    ? value
    : new Mistake(`can only have target_session_attrs=${attributes.join(' or ')}`);
};

export const writerUrl = databaseUrl(['read-write', 'primary']);
export const replicaUrl = databaseUrl(['any', 'read-only', 'standby', 'prefer-standby']);

export const redisUrl = (value: string) =>
  isRedisUrl(value)
    ? value
    : new Mistake(
        'must be redis://host:6379, several hosts separated by commas, or redis+sentinel://host:26379,…/master; with TLS rediss',
      );

/** Parses host names, separated by commas; `*.` in front of a name stands for all of that name's subdomains. */
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

/** Parses the value into the form that Fastify takes. */
export function trustProxy(value: string): boolean | string | number | Mistake {
  if (value === 'true' || value === 'on') return true;
  if (value === 'false' || value === 'off') return false;
  if (/^\d+$/.test(value)) return Number(value);
  try {
    proxyTrust(value);
    return value;
  } catch {
    return new Mistake('must be on, off, a number of hops, or a list of addresses');
  }
}
