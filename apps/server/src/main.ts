import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startApp } from './app.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { holdInstallation } from './db/installation-lock.ts';
import { ensureOwner } from './features/admins/server-admins.ts';
import { ensureCreator } from './features/fans/fans.store.ts';
import { paymentsFor } from './features/payments/open-payments.ts';
import { keptSecret, openInstallation } from './installation.ts';
import { createLogger } from './log.ts';
import { developmentMailbox, MAILBOX_PATH } from './mail/development-mailbox.ts';
import { smtpMailer } from './mail/mailer.ts';
import { startLively } from './sample/lively.ts';
import { answeredSince, createSampleData } from './sample/sample-data.ts';
import { openStorage } from './storage/open-storage.ts';

/** Within this long after a signal the process has gone, whatever still hangs. Milliseconds. */
const SHUTDOWN_MS = 9_000;
const WEBHOOK_SECRET_FILE = 'webhook-secret';
const WEB_ROOT = fileURLToPath(new URL('../../web/dist', import.meta.url));
const FAN_ROOT = fileURLToPath(new URL('../../fan/dist', import.meta.url));

await main().catch((error: unknown) => {
  if (error instanceof ConfigError) {
    for (const mistake of error.mistakes) console.error(`Setting ${mistake}`);
  } else {
    console.error(`Stagedoor could not start: ${reason(error)}`);
  }
  process.exit(1);
});

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return `${error.message}. Stop what listens there, or set PORT.`;
  return error.message;
}

async function main(): Promise<void> {
  const config = readConfig();
  const log = createLogger(config.logLevel);
  for (const name of config.unused)
    log.warn({ setting: name }, 'this setting has no effect in this version');

  const { db, close } = await openInstallation(config, log);
  const release = await holdInstallation(db.connectionOptions, log);
  await ensureCreator(db, config.creatorName);
  await ensureOwner(db, config.ownerEmail);
  const platformKey = await platformKeyOf(config);
  const webhook = config.webhook && {
    url: config.webhook.url,
    secret: config.webhook.secret ?? (await keptWebhookSecret(config)),
  };
  const mailer =
    config.smtpUrl === null ? developmentMailbox() : smtpMailer(config.smtpUrl, config.mailFrom);
  const storage = await openStorage(config);
  if (config.sampleData) await createSampleData({ db, storage });
  const app = await startApp({
    config,
    db,
    storage,
    mailer,
    log,
    codeKey: Buffer.from(await keptSecret(config.dataDir, 'keys/sign-in-codes')),
    mediaKey: Buffer.from(await keptSecret(config.dataDir, 'keys/media-urls')),
    inviteKey: Buffer.from(await keptSecret(config.dataDir, 'keys/invitations')),
    payments: paymentsFor(config),
    platformKey,
    webhook,
    webRoot: WEB_ROOT,
    fanRoot: FAN_ROOT,
    sampleAvatars: config.sampleData,
  });
  const lively =
    config.sampleData && platformKey !== null
      ? startLively({
          url: app.address,
          platformKey,
          answeredSince: (since) => answeredSince(db, since),
          log: (error) => log.debug({ err: error }, 'a sample fan was not heard'),
        })
      : null;
  const url = config.publicUrl ?? app.address;
  printBanner(config, url, app.address, platformKey);

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
      .then(release)
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

async function platformKeyOf(config: Config): Promise<string | null> {
  if (config.platformApiKey !== null) return config.platformApiKey;
  return config.databaseUrl === null ? keptSecret(config.dataDir, 'platform-key') : null;
}

/** In the spelling that receivers' libraries take. */
function keptWebhookSecret({ dataDir }: Config): Promise<string> {
  return keptSecret(dataDir, WEBHOOK_SECRET_FILE, (bytes) => `whsec_${bytes.toString('base64')}`);
}

function paying(config: Config): string {
  const payments = paymentsFor(config);
  if (payments === 'test_card') return 'with the test card 4242 4242 4242 4242';
  return payments === 'platform' ? 'where the platform says' : 'at Stripe';
}

function printBanner(config: Config, url: string, local: string, platformKey: string | null): void {
  const mail =
    config.smtpUrl === null
      ? `${local}${MAILBOX_PATH}`
      : `by mail, through ${new URL(config.smtpUrl).host}`;
  const platform =
    config.platformApiKey !== null
      ? 'the key in PLATFORM_API_KEY'
      : platformKey === null
        ? 'with the keys that managers make; PLATFORM_API_KEY is not set'
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
    config.databaseUrl === null ? '' : `, database ${new URL(config.databaseUrl).host}`;
  console.log(`
  Stagedoor is running.

    Console        ${url}
    Sign in with   ${config.ownerEmail}
    Codes arrive   ${mail}
    Data lies in   ${config.dataDir}${database}
    Platform API   ${platform}
    Webhooks       ${webhook}
    Fans pay       ${paying(config)}
    API docs       ${url}/api/docs
`);
}
