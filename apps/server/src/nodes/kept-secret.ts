import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Length of a generated secret in bytes. */
const SECRET_BYTES = 32;

/**
 * Returns a secret that an installation generates once and stores in a file that only the server's user can read.
 * @param encode encodes the bytes as text
 * @returns the file's text, trimmed
 */
export async function keptSecret(
  dataDir: string,
  name: string,
  encode: (bytes: Buffer) => string = (bytes) => bytes.toString('base64url'),
): Promise<string> {
  const file = path.join(dataDir, name);
  await mkdir(path.dirname(file), { recursive: true });
  try {
    const created = await open(file, 'wx', 0o600);
    const secret = encode(randomBytes(SECRET_BYTES));
    await created.writeFile(`${secret}\n`);
    await created.sync();
    await created.close();
    return secret;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    const secret = (await readFile(file, 'utf8')).trim();
    if (secret.length < 32) throw new Error(`${file} is damaged. Remove it to create a new one`);
    return secret;
  }
}
