import path from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

function mistakesIn(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
  return [];
}

test('without any settings everything has its documented default', () => {
  expect(readConfig({})).toEqual({
    host: '127.0.0.1',
    port: 3000,
    publicUrl: null,
    dataDir: path.resolve('data'),
    databaseUrl: null,
    databaseReplicaUrl: null,
    redisUrl: null,
    smtpUrl: null,
    mailFrom: 'Stagedoor <no-reply@stagedoor.local>',
    ownerEmail: 'owner@example.com',
    creatorName: 'The Creator',
    platformApiKey: null,
    webhook: null,
    s3: null,
    stripe: null,
    retention: { messages: null, audit: null, invites: 365, deliveries: 7 },
    vapid: null,
    vapidSubject: null,
    pushServices: [],
    metricsToken: null,
    sampleData: true,
    logLevel: 'warn',
    trustProxy: false,
    production: false,
    unused: [],
  });
});

test('each setting is used as given, without surrounding spaces', () => {
  const config = readConfig({
    HOST: '0.0.0.0',
    PORT: ' 8080 ',
    PUBLIC_URL: 'https://console.example/',
    DATA_DIR: '/var/lib/stagedoor',
    DATABASE_URL: 'postgres://user:pass@a:5432,b/stagedoor?target_session_attrs=read-write',
    DATABASE_REPLICA_URL: 'postgres://b,c/stagedoor',
    SMTP_URL: 'smtps://user:pass@mail.example',
    MAIL_FROM: 'Console <console@example.com>',
    OWNER_EMAIL: 'Boss@Example.com',
    CREATOR_NAME: 'Aurora',
    PLATFORM_API_KEY: 'a-key-of-at-least-32-characters!',
    PLATFORM_WEBHOOK_URL: 'https://user:pass@platform.example/hooks',
    PLATFORM_WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    S3_BUCKET: 'console-files',
    S3_ENDPOINT: 'https://s3.example.com',
    STRIPE_SECRET_KEY: 'rk_live_51SVw',
    STRIPE_WEBHOOK_SECRET: 'whsec_Zm9v',
    RETAIN_MESSAGES_DAYS: '730',
    RETAIN_AUDIT_DAYS: '365',
    RETAIN_INVITES_DAYS: '90',
    RETAIN_DELIVERIES_DAYS: '30',
    METRICS_TOKEN: 'a-token-of-the-monitoring-that-is-long',
    PUSH_SERVICES: 'push.example.com, *.Push.example.org',
    LOG_LEVEL: 'warn',
    TRUST_PROXY: '2',
    NODE_ENV: 'production',
    REDIS_URL: 'rediss+sentinel://:secret@a,b:26380/stagedoor/1?sentinel_password=x',
  });
  expect(config).toEqual({
    host: '0.0.0.0',
    port: 8080,
    publicUrl: 'https://console.example',
    dataDir: '/var/lib/stagedoor',
    databaseUrl: 'postgres://user:pass@a:5432,b/stagedoor?target_session_attrs=read-write',
    databaseReplicaUrl: 'postgres://b,c/stagedoor',
    redisUrl: 'rediss+sentinel://:secret@a,b:26380/stagedoor/1?sentinel_password=x',
    smtpUrl: 'smtps://user:pass@mail.example',
    mailFrom: 'Console <console@example.com>',
    ownerEmail: 'boss@example.com',
    creatorName: 'Aurora',
    platformApiKey: 'a-key-of-at-least-32-characters!',
    webhook: {
      url: 'https://user:pass@platform.example/hooks',
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    },
    s3: { bucket: 'console-files', endpoint: 'https://s3.example.com', region: 'us-east-1' },
    stripe: { secretKey: 'rk_live_51SVw', webhookSecret: 'whsec_Zm9v' },
    retention: { messages: 730, audit: 365, invites: 90, deliveries: 30 },
    vapid: null,
    vapidSubject: null,
    pushServices: ['push.example.com', '*.push.example.org'],
    metricsToken: 'a-token-of-the-monitoring-that-is-long',
    sampleData: false,
    logLevel: 'warn',
    trustProxy: 2,
    production: true,
    unused: [],
  });
});

test('REDIS_URL has no effect with the embedded database, which only one process can serve', () => {
  const config = readConfig({ REDIS_URL: 'redis://somewhere' });
  expect(config).toMatchObject({ redisUrl: null, unused: ['REDIS_URL'] });
});

test('a key pair for push services must be complete and matching', () => {
  const pair = {
    VAPID_PUBLIC_KEY:
      'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
    VAPID_PRIVATE_KEY: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  };
  expect(readConfig({ ...pair, VAPID_SUBJECT: 'mailto:a@b.example' })).toMatchObject({
    vapid: { publicKey: pair.VAPID_PUBLIC_KEY, privateKey: pair.VAPID_PRIVATE_KEY },
    vapidSubject: 'mailto:a@b.example',
  });
  expect(mistakesIn({ VAPID_PUBLIC_KEY: pair.VAPID_PUBLIC_KEY })).toEqual([
    'VAPID_PRIVATE_KEY must be set when VAPID_PUBLIC_KEY is set',
  ]);
  expect(mistakesIn({ ...pair, VAPID_PRIVATE_KEY: 'other' })).toEqual([
    'VAPID_PRIVATE_KEY must be the private key for VAPID_PUBLIC_KEY, both in base64url',
  ]);
  expect(mistakesIn({ VAPID_SUBJECT: 'somebody' })).toEqual([
    'VAPID_SUBJECT must be a mailto: or https: address',
  ]);
});

test.each<[Record<string, string>, string]>([
  [
    { S3_ENDPOINT: 'https://s3.example.com' },
    'S3_ENDPOINT can only be set together with S3_BUCKET',
  ],
  [{ S3_REGION: 'eu-west-1' }, 'S3_REGION can only be set together with S3_BUCKET'],
  [{ S3_BUCKET: 'files' }, 'S3_BUCKET needs S3_REGION (Amazon) or S3_ENDPOINT (another provider)'],
  [
    { S3_BUCKET: 'files', S3_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'id' },
    'AWS_SECRET_ACCESS_KEY must be set when AWS_ACCESS_KEY_ID is set',
  ],
  [
    { S3_BUCKET: 'files', S3_REGION: 'eu-west-1', AWS_SECRET_ACCESS_KEY: 'secret' },
    'AWS_ACCESS_KEY_ID must be set when AWS_SECRET_ACCESS_KEY is set',
  ],
  [{ S3_BUCKET: 'Not A Bucket', S3_REGION: 'x' }, 'S3_BUCKET must be a bucket name'],
])('incomplete bucket settings, %j, are rejected', (env, mistake) => {
  expect(mistakesIn(env)).toEqual([mistake]);
});

const SECRET_KEY_TAKES =
  'STRIPE_SECRET_KEY must be a secret or restricted Stripe key: sk_… or rk_…';
const WEBHOOK_SECRET_TAKES =
  'STRIPE_WEBHOOK_SECRET must be the signing secret of a Stripe webhook endpoint: whsec_…';

test.each<[Record<string, string>, string]>([
  [
    { STRIPE_SECRET_KEY: 'sk_test_1' },
    'STRIPE_WEBHOOK_SECRET must be set when STRIPE_SECRET_KEY is set',
  ],
  [
    { STRIPE_WEBHOOK_SECRET: 'whsec_1' },
    'STRIPE_SECRET_KEY must be set when STRIPE_WEBHOOK_SECRET is set',
  ],
  [{ STRIPE_SECRET_KEY: 'pk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }, SECRET_KEY_TAKES],
  [{ STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'we_1' }, WEBHOOK_SECRET_TAKES],
])('incomplete Stripe settings, %j, are rejected', (env, mistake) => {
  expect(mistakesIn(env)).toEqual([mistake]);
});

test('a webhook without a secret gets one on the embedded database, and is rejected elsewhere', () => {
  const PLATFORM_WEBHOOK_URL = 'https://platform.example/hooks';
  expect(readConfig({ PLATFORM_WEBHOOK_URL }).webhook).toEqual({
    url: PLATFORM_WEBHOOK_URL,
    secret: null,
  });
  expect(mistakesIn({ PLATFORM_WEBHOOK_URL, DATABASE_URL: 'postgres://db/x' })).toEqual([
    'PLATFORM_WEBHOOK_SECRET must be set when PLATFORM_WEBHOOK_URL and DATABASE_URL are set',
  ]);
  expect(readConfig({ PLATFORM_WEBHOOK_SECRET: 'alone, it does nothing' }).webhook).toBeNull();
});

test('an empty setting counts as not set', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '  ' })).toEqual(readConfig({}));
});

test.each<[string, string, string]>([
  ['PORT', '70000', 'PORT must be a whole number from 0 to 65535'],
  ['PORT', '80a', 'PORT must be a whole number from 0 to 65535'],
  ['PORT', '-1', 'PORT must be a whole number from 0 to 65535'],
  [
    'PUBLIC_URL',
    'console.example',
    'PUBLIC_URL must be a URL that begins with http:// or https://',
  ],
  [
    'PUBLIC_URL',
    'ftp://console.example',
    'PUBLIC_URL must be a URL that begins with http:// or https://',
  ],
  [
    'DATABASE_URL',
    'mysql://x',
    'DATABASE_URL must be a URL that begins with postgres:// or postgresql://',
  ],
  [
    'DATABASE_URL',
    'postgres://user:secret@a,,b/stagedoor',
    'DATABASE_URL must be postgres://user:password@host:port/database; several hosts are separated by commas',
  ],
  [
    'DATABASE_URL',
    'postgres://a,b:port/stagedoor',
    'DATABASE_URL must be postgres://user:password@host:port/database; several hosts are separated by commas',
  ],
  [
    'DATABASE_URL',
    'postgres://a,b/stagedoor?target_session_attrs=any',
    'DATABASE_URL can only have target_session_attrs=read-write or primary',
  ],
  ...['http://a', 'redis://a,:6379', 'redis+sentinel://a,b', 'rediss+sentinel://'].map(
    (value): [string, string, string] => [
      'REDIS_URL',
      value,
      'REDIS_URL must be redis://host:6379, several hosts separated by commas, or redis+sentinel://host:26379,…/master; with TLS rediss',
    ],
  ),
  ['SMTP_URL', 'mail.example:25', 'SMTP_URL must be a URL that begins with smtp:// or smtps://'],
  ['MAIL_FROM', 'nobody', 'MAIL_FROM must be an email address'],
  ['MAIL_FROM', 'a@x.example\r\nBcc: b@x.example', 'MAIL_FROM must be an email address'],
  ['OWNER_EMAIL', 'nobody', 'OWNER_EMAIL must be an email address'],
  ['OWNER_EMAIL', 'boss@localhost', 'OWNER_EMAIL must be an email address'],
  ['CREATOR_NAME', 'x'.repeat(101), 'CREATOR_NAME must be at most 100 characters'],
  ['PLATFORM_API_KEY', 'x'.repeat(31), 'PLATFORM_API_KEY must be at least 32 characters'],
  ['PLATFORM_API_KEY', 'two words '.repeat(4), 'PLATFORM_API_KEY must not contain spaces'],
  [
    'PLATFORM_WEBHOOK_URL',
    'platform.example/hooks',
    'PLATFORM_WEBHOOK_URL must be a URL that begins with http:// or https://',
  ],
  ...['short', 'whsec_', 'whsec_not!base64', 'whsec_MfKQ9r8'].map(
    (secret): [string, string, string] => [
      'PLATFORM_WEBHOOK_SECRET',
      secret,
      "PLATFORM_WEBHOOK_SECRET must be 'whsec_' followed by base64, or any other text of at least 8 characters",
    ],
  ),
  ['RETAIN_MESSAGES_DAYS', '29', 'RETAIN_MESSAGES_DAYS must be a whole number from 30 to 36500'],
  ['RETAIN_DELIVERIES_DAYS', '0', 'RETAIN_DELIVERIES_DAYS must be a whole number from 1 to 36500'],
  ...['https://push.example.com', '*', 'a.example,', 'localhost'].map(
    (value): [string, string, string] => [
      'PUSH_SERVICES',
      value,
      'PUSH_SERVICES must be host names separated by commas, such as push.example.com',
    ],
  ),
  ['METRICS_TOKEN', 'x'.repeat(31), 'METRICS_TOKEN must be at least 32 characters'],
  ['SAMPLE_DATA', 'yes', "SAMPLE_DATA must be 'on' or 'off'"],
  ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent'],
  ...['<proxy>', 'yes', '10.0.0.1,', '10.0.0.0/33'].map((value): [string, string, string] => [
    'TRUST_PROXY',
    value,
    'TRUST_PROXY must be on, off, a number of hops, or a list of addresses',
  ]),
])('%s set to %j is rejected with one line that says what it accepts', (name, value, line) => {
  expect(mistakesIn({ [name]: value })).toEqual([line]);
});

test('all mistakes are reported together', () => {
  const mistakes = mistakesIn({ PORT: 'x', LOG_LEVEL: 'x', SMTP_URL: 'x', SMTP_HOST: 'x' });
  expect(mistakes).toHaveLength(4);
  expect(new Set(mistakes.map((line) => line.split(' ')[0]))).toEqual(
    new Set(['PORT', 'LOG_LEVEL', 'SMTP_URL', 'SMTP_HOST']),
  );
});

test('a line never contains a value, which may be a secret', () => {
  const secrets = {
    DATABASE_URL: 'postgre://user:hunter2@db',
    SMTP_URL: 'smtpx://user:hunter2@mail',
    PLATFORM_API_KEY: 'hunter2',
    PORT: 'hunter2',
  };
  const mistakes = mistakesIn(secrets);
  expect(mistakes).toHaveLength(4);
  expect(mistakes.join('\n')).not.toContain('hunter2');
});

test.each([
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['OWNER_EMIAL', 'OWNER_EMAIL'],
  ['smtp_url', 'SMTP_URL'],
  ['PUBLICURL', 'PUBLIC_URL'],
  ['PLATFORM_APIKEY', 'PLATFORM_API_KEY'],
])('the misspelt setting %s is rejected with a suggestion', (name, meant) => {
  expect(mistakesIn({ [name]: 'x' })).toEqual([`${name} is unknown. Did you mean ${meant}?`]);
});

test.each([
  'SMTP_PASSWORD',
  'S3_KEY',
  'PLATFORM_TOKEN',
  'VAPID_KEY',
  'RETAIN_FANS_DAYS',
  'STAGEDOOR_PORT',
])('the unknown setting %s with one of our prefixes is rejected', (name) =>
  expect(mistakesIn({ [name]: 'x' })).toEqual([`${name} is unknown`]),
);

test('settings of other programs are ignored', () => {
  const others = {
    PATH: '/bin',
    HOME: '/root',
    LANG: 'C',
    npm_config_cache: 'x',
    HOSTNAME: 'x',
    PORTS: '1',
    TZ: 'UTC',
  };
  expect(mistakesIn(others)).toEqual([]);
});

const PRODUCTION = {
  NODE_ENV: 'production',
  SMTP_URL: 'smtp://mail',
  OWNER_EMAIL: 'a@b.example',
};

test('in production a mail server must be set, so that codes are not shown on a page', () => {
  const [line, ...others] = mistakesIn({ NODE_ENV: 'production', OWNER_EMAIL: 'a@b.example' });
  expect(line).toMatch(/^SMTP_URL must be set when NODE_ENV is production/);
  expect(others).toEqual([]);
  const production = readConfig(PRODUCTION);
  expect(production).toMatchObject({ sampleData: false, logLevel: 'info', production: true });
});

test('in production the owner must be set, so that no default address gets every permission', () => {
  const lines = [
    'OWNER_EMAIL must be set when NODE_ENV is production: the codes sent to it give every permission',
  ];
  expect(mistakesIn({ ...PRODUCTION, OWNER_EMAIL: '' })).toEqual(lines);
  expect(mistakesIn({ ...PRODUCTION, OWNER_EMAIL: ' ' })).toEqual(lines);
  expect(mistakesIn(PRODUCTION)).toEqual([]);
});

test.each([{ DATABASE_URL: 'postgres://db/x' }, PRODUCTION])(
  'sample data can’t be asked for with %j',
  (env) => {
    expect(mistakesIn({ ...env, SAMPLE_DATA: 'on' })).toEqual([
      'SAMPLE_DATA can only be on with the embedded database and outside production',
    ]);
    expect(mistakesIn({ ...env, SAMPLE_DATA: 'off' })).toEqual([]);
  },
);

test.each<[string, boolean | string | number]>([
  ['on', true],
  ['off', false],
  ['1', 1],
  ['10.0.0.0/8, ::1', '10.0.0.0/8, ::1'],
  ['loopback', 'loopback'],
])('TRUST_PROXY %j means %j', (value, meaning) => {
  expect(readConfig({ TRUST_PROXY: value }).trustProxy).toBe(meaning);
});
