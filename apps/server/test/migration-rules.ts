/**
 * Tables that grow with the activity of fans and staff, and that a send writes, or reads under a lock. A lock held while such a
 * table is scanned or rewritten blocks every send. Tags of fans are not included, because only tagging writes them.
 */
const LARGE = new Set([
  'audit_log',
  'campaign_recipients',
  'conversations',
  'fans',
  'messages',
  'outbox',
  'product_sends',
  'purchases',
  'reactions',
  'sent_messages',
  'uploads',
  'webhook_attempts',
  'webhook_events',
]);

interface Rule {
  readonly breaks: RegExp;
  readonly why: string;
  /** Whether the rule applies to small tables too, because the previous version still reads or writes them. */
  readonly always: boolean;
}

/** Rules for statements on one table. The first group of each expression is the table's name. */
const TABLE_RULES: readonly Rule[] = [
  {
    breaks: /^alter table (?:if exists )?(?:only )?(\w+)\b.*\bdrop column\b/,
    why: 'drops a column that the version before may use',
    always: true,
  },
  {
    breaks: /^alter table (?:if exists )?(?:only )?(\w+)\b.*\brename\b/,
    why: 'renames what the version before knows by its name',
    always: true,
  },
  {
    breaks: /^drop table (?:if exists )?(\w+)/,
    why: 'drops a table that the version before may use',
    always: true,
  },
  {
    breaks:
      /^alter table (?:if exists )?(?:only )?(\w+)\b.*\badd (?:column )?(?:if not exists )?(?!constraint\b|primary\b|unique\b|check\b|foreign\b)\w+ (?=[^,]*\bnot null\b)(?![^,]*\b(?:default|generated)\b)/,
    why: 'adds a column that must have a value, which the version before does not give',
    always: true,
  },
  {
    breaks: /^alter table (?:if exists )?(?:only )?(\w+)\b.*\bset not null\b/,
    why: 'demands a value that the version before may leave out',
    always: true,
  },
  {
    breaks: /^alter table (?:if exists )?(?:only )?(\w+)\b.*\bdrop default\b/,
    why: 'takes away a default on which the version before relies',
    always: true,
  },
  {
    breaks:
      /^alter table (?:if exists )?(?:only )?(\w+)\b.*\balter (?:column )?\w+ (?:set data )?type\b/,
    why: 'changes a type, and rewrites the whole table',
    always: true,
  },
  {
    breaks:
      /^alter table (?:if exists )?(?:only )?(\w+)\b.*\badd\b.*(?:\bdefault\b.*(?:gen_random_uuid|clock_timestamp|random\(|nextval)|\bgenerated always as \()/,
    why: 'gives each row a value of its own, and rewrites the whole table',
    always: false,
  },
  {
    breaks:
      /^alter table (?:if exists )?(?:only )?(\w+)\b.*\badd (?:constraint \w+ )?(?:check|foreign key)\b(?!.*\bnot valid\b)/,
    why: 'looks at every row under a lock; add it as not valid, and validate it afterwards',
    always: false,
  },
  {
    breaks:
      /^alter table (?:if exists )?(?:only )?(\w+)\b.*\badd (?:constraint \w+ )?(?:unique|primary key)\b(?!.*\busing index\b)/,
    why: 'builds an index under a lock',
    always: false,
  },
  {
    breaks:
      /^create (?:unique )?index (?!concurrently)(?:if not exists )?(?:\w+ )?on (?:only )?(\w+)/,
    why: 'builds an index under a lock that no write passes',
    always: false,
  },
  {
    breaks: /^(?:update|delete from) (?:only )?(\w+)\b/,
    why: 'changes rows in one transaction with the schema; leave that to a job that goes in batches',
    always: false,
  },
];

/**
 * Finds statements that would break a server of the previous version while it runs next to the migration: the server must find
 * everything it uses, must not have to provide anything new, and must not wait for long locks.
 * @param statements as they are executed, in order
 * @returns one line per broken rule; tables created by the migration are exempt
 */
export function brokenRules(statements: readonly string[]): string[] {
  const made = new Set<string>();
  const broken: string[] = [];
  for (const statement of statements) {
    const text = statement
      .replaceAll(/--[^\n]*/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
      .toLowerCase();
    const [, table] = /^create table (?:if not exists )?(\w+)/.exec(text) ?? [];
    if (table !== undefined) made.add(table);
    for (const { breaks, why, always } of TABLE_RULES) {
      const [, of] = breaks.exec(text) ?? [];
      if (of === undefined || made.has(of) || (!always && !LARGE.has(of))) continue;
      broken.push(`${of}: ${why}`);
    }
  }
  return broken;
}
