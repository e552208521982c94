import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface SmallDisk {
  /** The mount point. */
  readonly root: string;
  unmount(): Promise<void>;
}

/** Mounts a file system of the given size. @returns null if this user may not mount */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk | null> {
  const root = await mkdtemp(path.join(tmpdir(), 'stagedoor-full-'));
  try {
    const args = ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', root];
    execFileSync('mount', args, { stdio: 'ignore' });
  } catch {
    await rm(root, { recursive: true });
    return null;
  }
  return {
    root,
    async unmount() {
      execFileSync('umount', [root]);
      await rm(root, { recursive: true });
    },
  };
}
