import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { BackupError, isMissing } from './backup-error.ts';

/** Grows when older programs could no longer read what we write. */
export const FORMAT = 1;

const size = z.int().check(z.minimum(0));
const part = {
  bytes: size,
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
};

/** The rows of one table. */
const TablePart = z.object({
  ...part,
  schema: z.enum(['public', 'jobs']),
  name: z.string(),
  columns: z.array(z.string()),
  rows: size,
});
export type TablePart = z.infer<typeof TablePart>;

const SequenceState = z.object({
  name: z.string(),
  /** As text: it may be more than a JSON number holds. */
  last_value: z.string().check(z.regex(/^-?\d+$/)),
  is_called: z.boolean(),
});
export type SequenceState = z.infer<typeof SequenceState>;

const SecretPart = z.object({
  ...part,
  name: z.string().check(z.regex(/^(keys\/[A-Za-z0-9-]+|[a-z]+-[a-z]+)$/)),
});
export type SecretPart = z.infer<typeof SecretPart>;

/** A line of `objects.jsonl`. */
export const ObjectPart = z.object({ ...part, key: z.string() });
export type ObjectPart = z.infer<typeof ObjectPart>;

/** What a backup holds. It is written last: a folder without one is no backup. */
const Manifest = z.object({
  format: z.literal(FORMAT),
  /** The moment whose state it is. */
  taken_at: z.string(),
  /** The newest migration of the database's. */
  migration: z.string(),
  postgres: z.string(),
  tables: z.array(TablePart),
  sequences: z.array(SequenceState),
  objects: z.object({
    count: size,
    bytes: size,
    /** Named by a row and not there when the backup was made. */
    missing: z.array(z.string()),
    list: z.object(part),
  }),
  secrets: z.array(SecretPart),
});
export type Manifest = z.infer<typeof Manifest>;

const FILE = 'manifest.json';
const SUM_FILE = 'manifest.json.sha256';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Rows from which on a table is told of in the progress. */
export const WORTH_A_LINE = 1_000;

/** Where a table's rows lie in a backup. */
export const tableFile = ({ schema, name }: Pick<TablePart, 'schema' | 'name'>): string =>
  `database/${schema}.${name}.copy.gz`;
export const OBJECT_LIST = 'objects.jsonl';
/** Laid out as the folder of an installation is. */
export const OBJECTS = 'files';
export const secretFile = ({ name }: Pick<SecretPart, 'name'>): string => `secrets/${name}`;

/** Ends a backup. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 1)}\n`;
  const options = { flag: 'wx', mode: 0o600, flush: true };
  // In the form that `sha256sum --check` takes.
  await writeFile(path.join(folder, SUM_FILE), `${sha256(text)}  ${FILE}\n`, options);
  await writeFile(path.join(folder, FILE), text, options);
}

/** @throws BackupError for what is no whole backup, or one that this program can't read */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await textOf(path.join(folder, FILE));
  if (text === null) {
    throw new BackupError(`${folder} is not a backup, or is an unfinished one: it has no ${FILE}.`);
  }
  const sum = await textOf(path.join(folder, SUM_FILE));
  if (sum?.split(' ')[0] !== sha256(text)) {
    throw new BackupError(`The backup is damaged: ${FILE} has changed.`);
  }
  const json: unknown = JSON.parse(text);
  const { format } = z.object({ format: z.int() }).parse(json);
  if (format > FORMAT) throw newerVersion(`its format is ${format}`);
  return Manifest.parse(json);
}

export const newerVersion = (why: string): BackupError =>
  new BackupError(
    `The backup was made by a newer version (${why}). Restore it with that version or a later one.`,
  );

const textOf = (file: string): Promise<string | null> =>
  readFile(file, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
