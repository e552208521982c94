import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** A program that the tests need, from Debian packages. */
interface Wanted {
  readonly name: string;
  readonly programs: readonly string[];
  readonly packages: readonly string[];
}

const isInstalled = ({ programs }: Wanted): boolean => programs.every((file) => existsSync(file));

/** Returns why a program is not available; null if it is, or can be installed. */
export function missingReason(wanted: Wanted): string | null {
  if (isInstalled(wanted)) return null;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) return null;
  return `${wanted.name} is missing; on Debian: apt-get install --no-install-recommends ${wanted.packages.join(' ')}`;
}

/** Installs a program if it is missing. @throws Error when it can't be installed */
export function requireInstalled(wanted: Wanted): void {
  const missing = missingReason(wanted);
  if (missing !== null) throw new Error(missing);
  if (isInstalled(wanted)) return;
  const apt = (...args: string[]) =>
    execFileSync('apt-get', ['-qq', ...args], {
      // Installs the packages without starting their own services.
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  apt('update');
  apt('install', '-y', '--no-install-recommends', ...wanted.packages);
}
