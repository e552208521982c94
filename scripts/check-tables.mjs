// Checks that each table is written only in the folder that owns it.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync } from 'oxc-parser';
import { ROOT } from './lib/run.mjs';

const SERVER = 'apps/server/src/';

/** The tables that each folder of the server owns. Other folders write them through a function or SQL fragment of the owner. */
const OWNERS = {
  db: 'conversations audit_log',
  media: 'uploads storage_garbage',
  nodes: 'installation key_requests',
  // Owned by the domain, because sign-in involves three of its features: admins, auth and passkeys.
  team: 'admins sessions pending_sign_ins sign_in_failures',
  'team/auth': 'login_codes',
  'team/passkeys': 'passkeys passkey_roles passkey_challenges',
  'team/creator': 'creators avatar_uploads',
  'team/notifications': 'notification_settings push_subscriptions',
  'team/settings': 'team_settings',
  'team/shifts': 'shifts clocks shift_extensions',
  'fans/fans': 'fans fan_tags',
  'fans/tags': 'global_tags',
  'fans/statements': 'fan_statements',
  'fans/fan-facts': 'message_tallies',
  'fans/subscriptions': 'fan_benefits',
  'fans/fan-sessions': 'fan_links fan_sessions ended_fan_sessions',
  'fans/invites': 'invites invite_mails',
  'inbox/queue': 'snoozes pins',
  'inbox/views': 'saved_views',
  'selling/products': 'products product_media folders',
  'selling/purchases': 'purchases owned_products',
  'selling/tips': 'tips',
  'selling/segments': 'segments',
  'selling/campaigns': 'campaigns campaign_variants campaign_files campaign_recipients',
  'selling/payments': 'open_checkouts returned_payments give_backs double_payments',
  'selling/earnings':
    'earning_rules earning_lines earning_contests earning_periods earning_payslips earning_queue earning_heads',
  'messaging/messages': 'messages reactions product_sends sent_messages',
  'messaging/drafts': 'drafts',
  'messaging/templates': 'templates template_files',
  'messaging/scheduled': 'scheduled_messages',
  'messaging/guard-rails': 'guard_rails',
  'messaging/staff-notes': 'staff_notes staff_note_mentions',
  'messaging/handovers': 'handovers handover_items',
  'platform/platform-keys': 'platform_keys',
  'platform/webhooks': 'webhook_endpoint webhook_lanes webhook_attempts',
};

/** The queues have two owners: `db` fills them in transactions of all domains, and another folder empties them. */
const QUEUES = {
  outbox: ['db', 'realtime'],
  webhook_events: ['db', 'platform/webhooks'],
};

/** Files that may write tables of other folders, and those tables. */
const EXCEPTIONS = {
  // A send is one function, so that one round trip locks, checks and stores everything.
  'messaging/messages/send.sql': 'conversations outbox webhook_events uploads products',
  // A batch of mass messages is one statement for the same reason.
  'selling/campaigns/send-batch.store.ts':
    'conversations messages product_sends sent_messages outbox webhook_events',
  'selling/campaigns/unsend-batch.store.ts': 'conversations',
  'messaging/messages/unsend.store.ts': 'conversations',
};

/** Files that may write all tables: migrations define them; sample data and a restore fill them. */
const NOT_CHECKED = /^(db\/migrations|backup)\/|^sample-data\.ts$/;

const TABLE = String.raw`(?:only\s+)?"?(\w+|\$\{)`;
const WRITES = [
  new RegExp(String.raw`\b(?:insert\s+into|delete\s+from|merge\s+into|truncate)\s+${TABLE}`, 'gi'),
  new RegExp(String.raw`\bupdate\s+${TABLE}[^\s]*(?:\s+(?:as\s+)?\w+)?\s+set\b`, 'gi'),
  /\.(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(\s*['"`]?(\w+)/g,
];

/**
 * Lists the tables that a file writes without owning them.
 * @param {string} file its path below the repository's root, with forward slashes
 * @param {string} source
 * @returns {string[]} one line per table
 */
export function wrongWrites(file, source) {
  if (!file.startsWith(SERVER) || file.endsWith('.test.ts')) return [];
  const inside = file.slice(SERVER.length);
  if (NOT_CHECKED.test(inside)) return [];
  const excepted = EXCEPTIONS[inside]?.split(' ') ?? [];
  return writtenTables(file, source)
    .filter((table) => !excepted.includes(table))
    .map((table) => {
      const owners = ownersOf(table);
      if (owners.length === 0) return `${file}: writes ${table}, which has no owner in OWNERS`;
      return owners.some((owner) => inside.startsWith(`${owner}/`))
        ? null
        : `${file}: writes ${table}, which ${owners.join(' and ')} owns`;
    })
    .filter((line) => line !== null);
}

const ownersOf = (table) =>
  QUEUES[table] ??
  Object.keys(OWNERS).filter((folder) => OWNERS[folder].split(' ').includes(table));

function writtenTables(file, source) {
  const code = file.endsWith('.sql')
    ? source.replaceAll(/--.*/g, '')
    : withoutComments(file, source);
  const tables = WRITES.flatMap((pattern) => [...code.matchAll(pattern)].map(([, table]) => table));
  return [...new Set(tables)];
}

function withoutComments(file, source) {
  let code = source;
  for (const { start, end } of parseSync(file, source).comments)
    code = code.slice(0, start) + ' '.repeat(end - start) + code.slice(end);
  return code;
}

function main() {
  const lines = readdirSync(path.join(ROOT, SERVER), { recursive: true })
    .filter((name) => /\.(ts|sql)$/.test(name))
    .flatMap((name) => {
      const file = path.posix.join(SERVER, name.split(path.sep).join('/'));
      return wrongWrites(file, readFileSync(path.join(ROOT, file), 'utf8'));
    });
  for (const line of lines) console.error(line);
  if (lines.length > 0) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
