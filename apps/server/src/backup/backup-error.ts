/** Thrown when a backup can't be made or restored. Its message is one line for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** Checks whether an error means that a file or folder does not exist. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';
