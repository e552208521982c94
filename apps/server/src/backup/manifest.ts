import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { BackupError, isMissing } from './backup-error.ts';

/** The version of the backup format. Raised by changes that older programs can't read. */
export const FORMAT = 1;

const size = z.int().check(z.minimum(0));
const part = {
  bytes: size,
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
};

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
  /** A string, because the value can be too large for an exact JSON number. */
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

/** A backup's contents. Written last: a folder without one is not a complete backup. */
const Manifest = z.object({
  format: z.literal(FORMAT),
  /** The time of the snapshot. */
  taken_at: z.string(),
  /** The newest migration applied to the database. */
  migration: z.string(),
  postgres: z.string(),
  tables: z.array(TablePart),
  sequences: z.array(SequenceState),
  objects: z.object({
    count: size,
    bytes: size,
    /** Keys that a row references but that were missing from the storage when the backup was made. */
    missing: z.array(z.string()),
    list: z.object(part),
  }),
  secrets: z.array(SecretPart),
});
export type Manifest = z.infer<typeof Manifest>;

const FILE = 'manifest.json';
const SUM_FILE = 'manifest.json.sha256';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Minimum number of rows for a table to appear in the progress output. */
export const WORTH_A_LINE = 1_000;

/** Returns the path of a table's rows in a backup. */
export const tableFile = ({ schema, name }: Pick<TablePart, 'schema' | 'name'>): string =>
  `database/${schema}.${name}.copy.gz`;
export const OBJECT_LIST = 'objects.jsonl';
/** The folder of the stored objects, named and laid out as in a data directory. */
export const OBJECTS = 'files';
export const secretFile = ({ name }: Pick<SecretPart, 'name'>): string => `secrets/${name}`;

/** Writes the manifest, which completes a backup. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 1)}\n`;
  const options = { flag: 'wx', mode: 0o600, flush: true };
  // In the format that `sha256sum --check` reads.
  await writeFile(path.join(folder, SUM_FILE), `${sha256(text)}  ${FILE}\n`, options);
  await writeFile(path.join(folder, FILE), text, options);
}

/** @throws BackupError for a folder that is not a complete backup, or one that this version can't read */
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
