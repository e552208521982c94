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
 * Reads a complete backup and compares it with its manifest, without changing anything.
 * @throws BackupError at the first part that is missing or different, and for a backup of a newer version
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
