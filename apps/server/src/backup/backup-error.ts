/** Why there is no backup, or why one can't be restored: one line for whoever asked for it. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** Whether a file or folder was not there. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';
