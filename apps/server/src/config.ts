import path from 'node:path';
import { isEmailAddress } from '@stagedoor/contract/email-address';
import { CREATOR_NAME_MAX_CHARS } from '@stagedoor/contract/team/creator';
import { isMisspelling } from './misspelling.ts';
import { isVapidPair, type VapidKeys } from './push/vapid.ts';
import {
  atLeast,
  days,
  hosts,
  integer,
  Mistake,
  redisUrl as redisUrlOf,
  replicaUrl,
  trustProxy,
  url,
  writerUrl,
} from './setting-values.ts';
import type { S3Settings } from './storage/s3-storage.ts';

/** All settings from the environment, parsed once. docs/settings.md explains them to operators. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** The URL at which browsers reach the console, without a trailing slash; null: links use the server's own address. */
  readonly publicUrl: string | null;
  /** An absolute path. Holds the embedded database, files and keys. */
  readonly dataDir: string;
  /** The URL of PostgreSQL. Of several hosts, the one that accepts writes is used. Null: the embedded database in `dataDir`. */
  readonly databaseUrl: string | null;
  /** The URL of a read replica, for data that may be a few seconds old; null without a replica. */
  readonly databaseReplicaUrl: string | null;
  /**
   * The URL of Redis, which connects the processes that share a database. Of several hosts, the one that accepts writes is used.
   * Null: a single process serves alone.
   */
  readonly redisUrl: string | null;
  /** An SMTP server; null: the development mailbox. */
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  readonly ownerEmail: string;
  readonly creatorName: string;
  /**
   * Null: with the embedded database, a key is generated at the first start; with a PostgreSQL server, only keys created by
   * managers are valid.
   */
  readonly platformApiKey: string | null;
  /** The URL that receives webhooks; null: none are sent. With the embedded database, a missing secret is generated. */
  readonly webhook: { readonly url: string; readonly secret: string | null } | null;
  /** An S3 bucket for files; null: they are stored in `dataDir`. */
  readonly s3: S3Settings | null;
  /** A Stripe account that takes fans' payments; null: none. */
  readonly stripe: { readonly secretKey: string; readonly webhookSecret: string } | null;
  readonly retention: RetentionSettings;
  /** Identifies this server to browsers' push services; null: a pair is derived from the installation's keys. */
  readonly vapid: VapidKeys | null;
  /** The operator's contact address for push services; null: the console's address, if it is `https:`. */
  readonly vapidSubject: string | null;
  /** Hosts of push services to allow besides the browsers' own; `*.` stands for all subdomains. */
  readonly pushServices: readonly string[];
  /** The bearer token for reading the metrics from anywhere; null: only programs on this machine can read them. */
  readonly metricsToken: string | null;
  readonly sampleData: boolean;
  readonly logLevel: LogLevel;
  /** The proxies whose X-Forwarded-* headers are trusted, in the form of Fastify's `trustProxy`. */
  readonly trustProxy: boolean | string | number;
  readonly production: boolean;
  /** Settings that are set but have no effect in this configuration; logged at start. */
  readonly unused: readonly string[];
}

/** Days after which data is removed; null: never. */
export interface RetentionSettings {
  /** Messages, with their reactions and files. */
  readonly messages: number | null;
  readonly audit: number | null;
  /** Invitations that nobody accepted, counted from their expiry. */
  readonly invites: number;
  /** Webhook deliveries, counted from when they were delivered or given up. */
  readonly deliveries: number;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Minimum length of secrets that strangers can try to guess. */
const SECRET_MIN_CHARS = 32;
/** Prefixes of our settings. An unknown name with such a prefix is a mistake, not another program's setting. */
const FAMILIES = /^(S3|SMTP|PLATFORM|RETAIN|VAPID|STAGEDOOR)_/;

/** All mistakes in an environment. Its message names them one per line, as a command prints them. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly mistakes: readonly string[];
  constructor(mistakes: readonly string[]) {
    super(mistakes.map((mistake) => `Setting ${mistake}`).join('\n'));
    this.mistakes = mistakes;
  }
}

/**
 * Reads the settings.
 * @throws ConfigError listing every invalid and every unknown setting
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const mistakes: string[] = [];
  const known: string[] = [];
  const read = <T>(name: string, fallback: T, parse: (value: string) => T | Mistake): T => {
    known.push(name);
    const value = env[name]?.trim();
    if (value === undefined || value === '') return fallback;
    const parsed = parse(value);
    if (!(parsed instanceof Mistake)) return parsed;
    // Values can be secrets (a password in a URL), so the message names the setting and the accepted values, never the given one.
    mistakes.push(`${name} ${parsed.expectation}`);
    return fallback;
  };

  const production = env.NODE_ENV === 'production';
  const databaseUrl = read<string | null>('DATABASE_URL', null, writerUrl);
  const databaseReplicaUrl = read<string | null>('DATABASE_REPLICA_URL', null, replicaUrl);
  const redisUrl = read<string | null>('REDIS_URL', null, redisUrlOf);
  const config: Config = {
    host: read('HOST', '127.0.0.1', (value) => value),
    port: read('PORT', 3000, integer(0, 65_535)),
    publicUrl: read<string | null>('PUBLIC_URL', null, (value) => {
      const parsed = url(['http:', 'https:'])(value);
      return parsed instanceof Mistake ? parsed : parsed.replace(/\/+$/, '');
    }),
    dataDir: path.resolve(read('DATA_DIR', './data', (value) => value)),
    databaseUrl,
    databaseReplicaUrl: databaseUrl === null ? null : databaseReplicaUrl,
    // Other processes can't reach the embedded database, so several nodes can't share it.
    redisUrl: databaseUrl === null ? null : redisUrl,
    smtpUrl: read<string | null>('SMTP_URL', null, url(['smtp:', 'smtps:'])),
    mailFrom: read('MAIL_FROM', 'Stagedoor <no-reply@stagedoor.local>', (value) =>
      /^[^\r\n]*[^\s@]+@[^\s@]+>?$/.test(value) ? value : new Mistake('must be an email address'),
    ),
    ownerEmail: read('OWNER_EMAIL', 'owner@example.com', (value) =>
      isEmailAddress(value) ? value.toLowerCase() : new Mistake('must be an email address'),
    ),
    creatorName: read('CREATOR_NAME', 'The Creator', (value) =>
      value.length <= CREATOR_NAME_MAX_CHARS
        ? value
        : new Mistake(`must be at most ${CREATOR_NAME_MAX_CHARS} characters`),
    ),
    platformApiKey: read<string | null>('PLATFORM_API_KEY', null, (value) =>
      /\s/.test(value) ? new Mistake('must not contain spaces') : atLeast(SECRET_MIN_CHARS)(value),
    ),
    webhook: webhookSettings(
      read<string | null>('PLATFORM_WEBHOOK_URL', null, url(['http:', 'https:'])),
      read<string | null>('PLATFORM_WEBHOOK_SECRET', null, webhookSecret),
    ),
    s3: s3Settings(
      read<string | null>('S3_BUCKET', null, (value) =>
        /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value)
          ? value
          : new Mistake('must be a bucket name'),
      ),
      read<string | null>('S3_ENDPOINT', null, url(['http:', 'https:'])),
      read<string | null>('S3_REGION', null, (value) =>
        /^[a-z0-9-]+$/i.test(value) ? value : new Mistake('must be a region name'),
      ),
    ),
    stripe: stripeSettings(
      read<string | null>('STRIPE_SECRET_KEY', null, (value) =>
        /^[sr]k_\w+$/.test(value)
          ? value
          : new Mistake('must be a secret or restricted Stripe key: sk_… or rk_…'),
      ),
      read<string | null>('STRIPE_WEBHOOK_SECRET', null, (value) =>
        /^whsec_\S+$/.test(value)
          ? value
          : new Mistake('must be the signing secret of a Stripe webhook endpoint: whsec_…'),
      ),
    ),
    retention: {
      messages: read<number | null>('RETAIN_MESSAGES_DAYS', null, days(30)),
      audit: read<number | null>('RETAIN_AUDIT_DAYS', null, days(30)),
      invites: read('RETAIN_INVITES_DAYS', 365, days(30)),
      deliveries: read('RETAIN_DELIVERIES_DAYS', 7, days(1)),
    },
    vapid: vapidKeys(read('VAPID_PUBLIC_KEY', '', asIs), read('VAPID_PRIVATE_KEY', '', asIs)),
    vapidSubject: read<string | null>('VAPID_SUBJECT', null, (value) =>
      /^(mailto:[^\s@<>]+@[^\s@<>]+|https:\/\/\S+)$/.test(value)
        ? value
        : new Mistake('must be a mailto: or https: address'),
    ),
    pushServices: read<readonly string[]>('PUSH_SERVICES', [], hosts),
    metricsToken: read<string | null>('METRICS_TOKEN', null, atLeast(SECRET_MIN_CHARS)),
    sampleData: read('SAMPLE_DATA', databaseUrl === null && !production, (value) =>
      value === 'on' ? true : value === 'off' ? false : new Mistake("must be 'on' or 'off'"),
    ),
    // In development, the banner should stay visible in the terminal; in production, requests should be logged.
    logLevel: read<LogLevel>('LOG_LEVEL', production ? 'info' : 'warn', (value) =>
      isLogLevel(value) ? value : new Mistake(`must be one of ${LOG_LEVELS.join(', ')}`),
    ),
    trustProxy: read<boolean | string | number>('TRUST_PROXY', false, trustProxy),
    production,
    unused: databaseUrl === null ? ['DATABASE_REPLICA_URL', 'REDIS_URL'].filter(isSetIn(env)) : [],
  };
  mistakes.unshift(...unknownSettings(env, known));
  if (config.sampleData && (databaseUrl !== null || production)) {
    mistakes.push('SAMPLE_DATA can only be on with the embedded database and outside production');
  }
  if (production && config.smtpUrl === null) {
    mistakes.push(
      'SMTP_URL must be set when NODE_ENV is production: sign-in codes are sent by email',
    );
  }
  if (production && !isSetIn(env)('OWNER_EMAIL')) {
    mistakes.push(
      'OWNER_EMAIL must be set when NODE_ENV is production: the codes sent to it give every permission',
    );
  }
  if (databaseUrl !== null && config.webhook?.secret === null) {
    mistakes.push(
      'PLATFORM_WEBHOOK_SECRET must be set when PLATFORM_WEBHOOK_URL and DATABASE_URL are set',
    );
  }
  if (config.vapid !== null && !isVapidPair(config.vapid)) {
    mistakes.push(
      'VAPID_PRIVATE_KEY must be the private key for VAPID_PUBLIC_KEY, both in base64url',
    );
  }
  mistakes.push(...halfSet(env, 'VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY'));
  mistakes.push(...s3Mistakes(env), ...halfSet(env, 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'));
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return config;
}

const asIs = (value: string) => value;
const vapidKeys = (publicKey: string, privateKey: string): VapidKeys | null =>
  publicKey === '' || privateKey === '' ? null : { publicKey, privateKey };

const webhookSettings = (url: string | null, secret: string | null): Config['webhook'] =>
  url === null ? null : { url, secret };

/** Accepts any text of at least 8 characters; after the prefix `whsec_`, only base64. */
function webhookSecret(value: string): string | Mistake {
  const takes = "must be 'whsec_' followed by base64, or any other text of at least 8 characters";
  const [, base64] = /^whsec_(.*)$/.exec(value) ?? [];
  if (base64 === undefined) return value.length >= 8 ? value : new Mistake(takes);
  return /^(?:[A-Za-z0-9+/]{4}){2,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(base64)
    ? value
    : new Mistake(takes);
}

/** Most S3-compatible servers other than Amazon's have no regions and accept this name. */
const ANY_REGION = 'us-east-1';

const s3Settings = (
  bucket: string | null,
  endpoint: string | null,
  region: string | null,
): S3Settings | null =>
  bucket === null ? null : { bucket, endpoint, region: region ?? ANY_REGION };

/** Returns the mistakes in bucket settings that are incomplete. */
function s3Mistakes(env: NodeJS.ProcessEnv): string[] {
  const has = isSetIn(env);
  const mistakes = ['S3_ENDPOINT', 'S3_REGION']
    .filter((name) => has(name) && !has('S3_BUCKET'))
    .map((name) => `${name} can only be set together with S3_BUCKET`);
  if (!has('S3_BUCKET')) return mistakes;
  if (!has('S3_ENDPOINT') && !has('S3_REGION')) {
    mistakes.push('S3_BUCKET needs S3_REGION (Amazon) or S3_ENDPOINT (another provider)');
  }
  return [...mistakes, ...halfSet(env, 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY')];
}

const isSetIn = (env: NodeJS.ProcessEnv) => (name: string) => Boolean(env[name]?.trim());

/** Returns a mistake if only one of two settings that need each other is set. */
function halfSet(env: NodeJS.ProcessEnv, one: string, other: string): string[] {
  const has = isSetIn(env);
  if (has(one) === has(other)) return [];
  return [`${has(one) ? other : one} must be set when ${has(one) ? one : other} is set`];
}

const stripeSettings = (
  secretKey: string | null,
  webhookSecret: string | null,
): Config['stripe'] =>
  secretKey === null || webhookSecret === null ? null : { secretKey, webhookSecret };

const isLogLevel = (value: string): value is LogLevel =>
  (LOG_LEVELS as readonly string[]).includes(value);

/** Returns a mistake for each unknown name that has one of our prefixes or looks like a misspelled setting. */
function unknownSettings(env: NodeJS.ProcessEnv, known: readonly string[]): string[] {
  return Object.keys(env)
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const meant = known.find((other) => other.length >= 7 && isMisspelling(name, other));
      if (meant !== undefined) return [`${name} is unknown. Did you mean ${meant}?`];
      return FAMILIES.test(name) ? [`${name} is unknown`] : [];
    });
}
