import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 100;

/**
 * Runs the work while holding a lock file, so that processes in the same tree run it one at a time.
 * Takes over the lock of a process that has died.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @param {(pid: number) => void} [onWait] called once if another process holds it
 * @returns {Promise<T>}
 */
export async function withLock(file, work, onWait) {
  mkdirSync(path.dirname(file), { recursive: true });
  // The lock is a link to a complete file, so that it never exists without its owner's process id.
  const own = `${file}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    for (let waited = false; !tryLink(own, file); waited = true) {
      const holder = readHolder(file);
      if (holder !== null && !isAlive(holder)) {
        takeAside(file, holder, own);
        continue;
      }
      if (!waited && holder !== null) onWait?.(holder);
      await sleep(POLL_MS);
    }
  } finally {
    rmSync(own, { force: true });
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function tryLink(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes a dead process's lock, unless another process has taken it over since we read it. */
function takeAside(file, deadPid, own) {
  const aside = `${own}.stale`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (readHolder(aside) !== deadPid) tryLink(aside, file);
  rmSync(aside, { force: true });
}

/** @returns {number | null} the holder's process id; null if the lock no longer exists */
function readHolder(file) {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

function isAlive(pid) {
  // A lock with our own process id is stale, because we don't hold it: a restarted container assigns the same ids again.
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
