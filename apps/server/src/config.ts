import path from 'node:path';
import { isMisspelling } from './misspelling.ts';
import { isVapidPair, type VapidKeys } from './push/vapid.ts';
import { atLeast, days, hosts, integer, Mistake, trustProxy, url } from './setting-values.ts';
import type { S3Settings } from './storage/s3-storage.ts';

/** Everything that the environment may set, parsed once. The README has the table for people. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Where browsers reach the console, without a trailing slash; null: whatever address they used. */
  readonly publicUrl: string | null;
  /** Absolute. Holds the embedded database, files and keys. */
  readonly dataDir: string;
  /** A PostgreSQL server; null: the embedded one in `dataDir`. */
  readonly databaseUrl: string | null;
  /** By which several processes on one database tell each other what happened; null: one process serves alone. */
  readonly redisUrl: string | null;
  /** An SMTP server; null: the development mailbox. */
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  readonly ownerEmail: string;
  readonly creatorName: string;
  /** Null: made at first start on the embedded database; otherwise the platform API stays shut. */
  readonly platformApiKey: string | null;
  /** Where the platform is told what staff do; null: nowhere. Without a secret one is made on the embedded database. */
  readonly webhook: { readonly url: string; readonly secret: string | null } | null;
  /** A bucket for files; null: `dataDir`. */
  readonly s3: S3Settings | null;
  /** An account at Stripe that takes fans' payments; null: none. */
  readonly stripe: { readonly secretKey: string; readonly webhookSecret: string } | null;
  readonly retention: RetentionSettings;
  /** Who this server is to the push services of browsers; null: a pair is made of the installation's keys. */
  readonly vapid: VapidKeys | null;
  /** Whom push services can reach about this server; null: the console's address says it. */
  readonly vapidSubject: string | null;
  /** Hosts of push services beside the browsers' own; `*.` stands for all names below one. */
  readonly pushServices: readonly string[];
  /** Who shows it may read the metrics from anywhere; null: only the machine itself may. */
  readonly metricsToken: string | null;
  readonly sampleData: boolean;
  readonly logLevel: LogLevel;
  /** As Fastify's `trustProxy`: whose X-Forwarded-* headers are believed. */
  readonly trustProxy: boolean | string | number;
  readonly production: boolean;
  /** Settings that are understood but have no effect here; told at start. */
  readonly unused: readonly string[];
}

/** After how many days what is forgotten; null: never. */
export interface RetentionSettings {
  /** Messages, with their reactions and files. */
  readonly messages: number | null;
  readonly audit: number | null;
  /** Invitations that nobody accepted, from their end on. */
  readonly invites: number;
  /** Webhook deliveries, from when they were settled. */
  readonly deliveries: number;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const USED = [
  'PORT',
  'HOST',
  'PUBLIC_URL',
  'DATA_DIR',
  'DATABASE_URL',
  'REDIS_URL',
  'SMTP_URL',
  'MAIL_FROM',
  'OWNER_EMAIL',
  'CREATOR_NAME',
  'PLATFORM_API_KEY',
  'PLATFORM_WEBHOOK_URL',
  'PLATFORM_WEBHOOK_SECRET',
  'S3_BUCKET',
  'S3_ENDPOINT',
  'S3_REGION',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'RETAIN_MESSAGES_DAYS',
  'RETAIN_AUDIT_DAYS',
  'RETAIN_INVITES_DAYS',
  'RETAIN_DELIVERIES_DAYS',
  'METRICS_TOKEN',
  'SAMPLE_DATA',
  'LOG_LEVEL',
  'TRUST_PROXY',
  'VAPID_PUBLIC_KEY',
  'VAPID_PRIVATE_KEY',
  'VAPID_SUBJECT',
  'PUSH_SERVICES',
];
/** Characters of a secret that is compared with what strangers send: too many to guess. */
const SECRET_MIN_CHARS = 32;
/** Families of names that are ours: another member of one is a mistake, not some other program's setting. */
const FAMILIES = /^(S3|SMTP|PLATFORM|RETAIN|VAPID|STAGEDOOR)_/;

/** All mistakes of an environment at once, a line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly mistakes: readonly string[];
  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'));
    this.mistakes = mistakes;
  }
}

/**
 * Reads the settings.
 * @throws ConfigError with every wrong and every unknown setting
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const mistakes = unknownSettings(env);
  const read = <T>(name: string, fallback: T, parse: (value: string) => T | Mistake): T => {
    const value = env[name]?.trim();
    if (value === undefined || value === '') return fallback;
    const parsed = parse(value);
    if (!(parsed instanceof Mistake)) return parsed;
    // Values can be secrets (a password in a URL), so that a line names the setting and what it takes, never the value.
    mistakes.push(`${name} ${parsed.expectation}`);
    return fallback;
  };

  const production = env.NODE_ENV === 'production';
  const databaseUrl = read<string | null>('DATABASE_URL', null, url(['postgres:', 'postgresql:']));
  const redisUrl = read<string | null>('REDIS_URL', null, url(['redis:', 'rediss:']));
  const config: Config = {
    host: read('HOST', '127.0.0.1', (value) => value),
    port: read('PORT', 3000, integer(0, 65_535)),
    publicUrl: read<string | null>('PUBLIC_URL', null, (value) => {
      const parsed = url(['http:', 'https:'])(value);
      return parsed instanceof Mistake ? parsed : parsed.replace(/\/+$/, '');
    }),
    dataDir: path.resolve(read('DATA_DIR', './data', (value) => value)),
    databaseUrl,
    // Others can't reach the embedded database, and so can't serve it too.
    redisUrl: databaseUrl === null ? null : redisUrl,
    smtpUrl: read<string | null>('SMTP_URL', null, url(['smtp:', 'smtps:'])),
    mailFrom: read('MAIL_FROM', 'Stagedoor <no-reply@stagedoor.local>', (value) =>
      /^[^\r\n]*[^\s@]+@[^\s@]+>?$/.test(value) ? value : new Mistake('must be an email address'),
    ),
    ownerEmail: read('OWNER_EMAIL', 'owner@example.com', (value) =>
      /^[^\s@<>]+@[^\s@<>]+$/.test(value)
        ? value.toLowerCase()
        : new Mistake('must be an email address'),
    ),
    creatorName: read('CREATOR_NAME', 'The Creator', (value) =>
      value.length <= 100 ? value : new Mistake('must be at most 100 characters'),
    ),
    platformApiKey: read<string | null>('PLATFORM_API_KEY', null, atLeast(SECRET_MIN_CHARS)),
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
    // Trying the product out in a terminal, one wants to see its banner; operating it, its requests.
    logLevel: read<LogLevel>('LOG_LEVEL', production ? 'info' : 'warn', (value) =>
      isLogLevel(value) ? value : new Mistake(`must be one of ${LOG_LEVELS.join(', ')}`),
    ),
    trustProxy: read<boolean | string | number>('TRUST_PROXY', false, trustProxy),
    production,
    unused: databaseUrl === null && env.REDIS_URL ? ['REDIS_URL'] : [],
  };
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
      'OWNER_EMAIL must be set when NODE_ENV is production: the owner has every permission',
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

/** What says of itself that it is base64 must be; anything else may be any text. */
function webhookSecret(value: string): string | Mistake {
  const takes = "must be 'whsec_' followed by base64, or any other text of at least 8 characters";
  const [, base64] = /^whsec_(.*)$/.exec(value) ?? [];
  if (base64 === undefined) return value.length >= 8 ? value : new Mistake(takes);
  return /^(?:[A-Za-z0-9+/]{4}){2,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(base64)
    ? value
    : new Mistake(takes);
}

/** Servers other than Amazon's mostly have no regions, and take this one's name. */
const ANY_REGION = 'us-east-1';

const s3Settings = (
  bucket: string | null,
  endpoint: string | null,
  region: string | null,
): S3Settings | null =>
  bucket === null ? null : { bucket, endpoint, region: region ?? ANY_REGION };

/** Settings of a bucket that say half of what is needed. */
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

/** Of two settings that are worth nothing without each other, the one that is missing. */
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

/** Names that look like a setting of ours but are none: a member of our families, or a known name misspelt. */
function unknownSettings(env: NodeJS.ProcessEnv): string[] {
  return Object.keys(env)
    .filter((name) => !USED.includes(name))
    .flatMap((name) => {
      const meant = USED.find((known) => known.length >= 7 && isMisspelling(name, known));
      if (meant !== undefined) return [`${name} is unknown. Did you mean ${meant}?`];
      return FAMILIES.test(name) ? [`${name} is unknown`] : [];
    });
}
