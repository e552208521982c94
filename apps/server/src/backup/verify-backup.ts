import { MIGRATIONS } from '../db/migrate.ts';
import { verifyObjects } from './copy-objects.ts';
import {
  type Manifest,
  newerVersion,
  OBJECT_LIST,
  readManifest,
  secretFile,
  tableFile,
} from './manifest.ts';
import { verifyPart } from './parts.ts';

/**
 * Reads all of a backup and compares it with what its manifest says; nothing is changed.
 * @throws BackupError at the first part that is missing or another, and for what a newer version made
 */
export async function verifyBackup(folder: string, say: (line: string) => void): Promise<Manifest> {
  const manifest = await readManifest(folder);
  if (!MIGRATIONS.includes(manifest.migration)) throw newerVersion(manifest.migration);
  for (const table of manifest.tables) await verifyPart(folder, tableFile(table), table);
  for (const secret of manifest.secrets) await verifyPart(folder, secretFile(secret), secret);
  await verifyPart(folder, OBJECT_LIST, manifest.objects.list);
  await verifyObjects(folder, say);
  return manifest;
}
