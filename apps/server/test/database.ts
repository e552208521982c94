import { inject, onTestFinished } from 'vitest';
import { copyTemplate, type TemplateDatabase, type TestDatabase } from './template-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    templateDatabase: TemplateDatabase;
  }
}

/** Creates a migrated, empty database for one test file, which must drop it at the end. */
export function createTestDatabase(): Promise<TestDatabase> {
  return copyTemplate(inject('templateDatabase'));
}

/** Creates a migrated, empty database that is dropped at the end of the current test. Returns its URL. */
export async function databaseForTest(): Promise<string> {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  return url;
}
