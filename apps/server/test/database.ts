import { inject } from 'vitest';
import { copyTemplate, type TestDatabase } from './template-database.ts';

/** A migrated, empty database of the caller's own; drop it when the test file is done. */
export function createTestDatabase(): Promise<TestDatabase> {
  return copyTemplate(inject('templateDatabase'));
}
