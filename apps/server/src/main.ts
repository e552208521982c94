import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startApp } from './app.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { holdInstallation } from './db/installation-lock.ts';
import { serverUrls } from './db/servers.ts';
import { atLocalhost, isLoopbackUrl } from './http/same-machine.ts';
import { openInstallation } from './installation.ts';
import { leaveRoot } from './leave-root.ts';
import { createLogger } from './log.ts';
import { type DevelopmentMailbox, developmentMailbox } from './mail/development-mailbox.ts';
import { type Mailer, noMailer, smtpMailer } from './mail/mailer.ts';
import { answerKeyRequests, joinInstallation } from './nodes/join.ts';
import { keptSecret } from './nodes/kept-secret.ts';
import { openBroker } from './realtime/broker.ts';
import { paymentsFor } from './selling/payments/open-payments.ts';
import { openStorage } from './storage/open-storage.ts';
import { ensureOwner } from './team/admins/server-admins.ts';
import { ensureCreator } from './team/creator/creator.store.ts';

/** The process exits within this time after a signal, even if something hangs. Milliseconds. */
const SHUTDOWN_MS = 9_000;
const WEBHOOK_SECRET_FILE = 'webhook-secret';
const HERE = fileURLToPath(new URL('.', import.meta.url));
const WEB_ROOT = fileURLToPath(new URL('../../web/dist', import.meta.url));
const FAN_ROOT = fileURLToPath(new URL('../../fan/dist', import.meta.url));

await main().catch((error: unknown) => {
  console.error(
    error instanceof ConfigError ? error.message : `Stagedoor could not start: ${reason(error)}`,
  );
  process.exit(1);
});

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return `${error.message}. Stop the program that uses this port, or set PORT.`;
  return error.message;
}

async function main(): Promise<void> {
  const config = readConfig();
  const log = createLogger(config.logLevel);
  const asRoot = await leaveRoot(config, [HERE, WEB_ROOT, FAN_ROOT]);
  for (const name of config.unused) log.warn({ setting: name }, 'this setting has no effect here');

  const { db, close } = await openInstallation(config, log);
  const mode = config.redisUrl === null ? 'alone' : 'node';
  const hold = await holdInstallation(db.connectionOptions, mode, log);
  db.fence(hold.isHeld);
  const { installationId, keys, sharesFiles } = await joinInstallation({
    db,
    hold,
    dataDir: config.dataDir,
  });
  const answering =
    mode === 'node'
      ? answerKeyRequests(db, keys, (error) =>
          log.warn({ err: error }, 'could not check for key requests'),
        )
      : null;
  const warnings = [
    ...(mode === 'node' ? nodeWarnings(config, sharesFiles) : []),
    ...(asRoot === null ? [] : [asRoot]),
  ];
  for (const warning of warnings) log.warn({}, warning);
  await ensureCreator(db, config.creatorName);
  await ensureOwner(db, config.ownerEmail);
  const platformKey = await platformKeyOf(config);
  const webhook = config.webhook && {
    url: config.webhook.url,
    secret: config.webhook.secret ?? (await keptWebhookSecret(config)),
  };
  const mailer = mailerOf(config);
  const storage = await openStorage(config);
  // Loaded lazily: an installation in use doesn't need it.
  const sample = config.sampleData ? await import('./sample-data.ts') : null;
  await sample?.createSampleData({ db, storage });
  const broker =
    config.redisUrl && (await openBroker({ url: config.redisUrl, installationId, log }));
  const app = await startApp({
    config,
    db,
    ...(broker && { broker }),
    storage,
    mailer,
    log,
    ...keys,
    payments: paymentsFor(config),
    platformKey,
    webhook,
    push: {
      rules: { allowLoopback: false, services: config.pushServices },
      ...(config.vapid && { keys: config.vapid }),
      ...(config.vapidSubject !== null && { subject: config.vapidSubject }),
    },
    webRoot: WEB_ROOT,
    fanRoot: FAN_ROOT,
    ...(sample && { serveSampleAvatars: sample.serveSampleAvatars }),
  });
  hold.onLapse(() => {
    log.error({}, 'lost the instance lock for too long; not serving until it is held again');
    app.dropSockets();
  });
  const lively =
    sample && platformKey !== null
      ? sample.startSampleFans(db, {
          url: app.address,
          platformKey,
          log: (error) => log.debug({ err: error }, 'a sample fan’s message was not delivered'),
        })
      : null;
  const address = atLocalhost(app.address);
  const url = config.publicUrl ?? address;
  const mail = 'path' in mailer ? `${address}${mailer.path}` : mailedBy(config);
  printBanner(config, url, mail, platformKey);
  for (const warning of warnings) console.log(`  Warning: ${warning}\n`);

  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), SHUTDOWN_MS).unref();
    Promise.resolve(lively?.stop())
      .then(() => app.close())
      .then(() => mailer.close())
      .then(() => storage.close())
      .then(() => answering?.stop())
      .then(() => hold.release())
      .then(close)
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'stopping failed');
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** Returns warnings about resources that several nodes don't share. */
function nodeWarnings(config: Config, sharesFiles: boolean): string[] {
  return [
    config.s3 === null && !sharesFiles
      ? 'this node does not have the other nodes’ files. Set S3_BUCKET, or give all nodes the same DATA_DIR.'
      : null,
    config.smtpUrl === null
      ? 'each node has its own development mailbox, with only the codes requested on that node. Set SMTP_URL.'
      : null,
  ].filter((warning) => warning !== null);
}

/** Returns the mailer. Without SMTP, only an installation that can't be reached from outside gets the development mailbox. */
function mailerOf({ smtpUrl, mailFrom, publicUrl }: Config): Mailer | DevelopmentMailbox {
  if (smtpUrl !== null) return smtpMailer(smtpUrl, mailFrom);
  return publicUrl === null || isLoopbackUrl(publicUrl) ? developmentMailbox() : noMailer();
}

function mailedBy({ smtpUrl }: Config): string {
  return smtpUrl === null
    ? 'not sent until SMTP_URL is set'
    : `by email, through ${new URL(smtpUrl).host}`;
}

async function platformKeyOf(config: Config): Promise<string | null> {
  if (config.platformApiKey !== null) return config.platformApiKey;
  return config.databaseUrl === null ? keptSecret(config.dataDir, 'platform-key') : null;
}

/** Returns the generated webhook secret, in the `whsec_` form that receivers' libraries expect. */
function keptWebhookSecret({ dataDir }: Config): Promise<string> {
  return keptSecret(dataDir, WEBHOOK_SECRET_FILE, (bytes) => `whsec_${bytes.toString('base64')}`);
}

function paying(config: Config): string {
  const payments = paymentsFor(config);
  if (payments === 'test_card') return 'with the test card 4242 4242 4242 4242';
  return payments === 'platform' ? 'through the platform' : 'through Stripe';
}

function printBanner(config: Config, url: string, mail: string, platformKey: string | null): void {
  const platform =
    config.platformApiKey !== null
      ? 'the key in PLATFORM_API_KEY'
      : platformKey === null
        ? 'with the keys that managers create; PLATFORM_API_KEY is not set'
        : `the key in ${path.join(config.dataDir, 'platform-key')}`;
  const webhook =
    config.webhook === null
      ? 'off until PLATFORM_WEBHOOK_URL is set'
      : `to ${new URL(config.webhook.url).host}, signed with ${
          config.webhook.secret === null
            ? `the secret in ${path.join(config.dataDir, WEBHOOK_SECRET_FILE)}`
            : 'PLATFORM_WEBHOOK_SECRET'
        }`;
  const database =
    config.databaseUrl === null
      ? ''
      : `, database ${serverUrls(config.databaseUrl)
          .map((url) => new URL(url).host)
          .join(', ')}`;
  console.log(`
  Stagedoor is running.

    Console        ${url}
    Sign in with   ${config.ownerEmail}
    Sign-in codes  ${mail}
    Data stored in ${config.dataDir}${database}
    Platform API   ${platform}
    Webhooks       ${webhook}
    Fans pay       ${paying(config)}
    API docs       ${url}/api/docs
`);
}
