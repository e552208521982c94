import { inject } from 'vitest';
import { copyTemplate, type TemplateDatabase, type TestDatabase } from './template-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    templateDatabase: TemplateDatabase;
  }
}

/** A migrated, empty database of the caller's own; drop it when the test file is done. */
export function createTestDatabase(): Promise<TestDatabase> {
  return copyTemplate(inject('templateDatabase'));
}
