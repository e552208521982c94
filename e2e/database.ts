import {
  copyTemplate,
  type TemplateDatabase,
  type TestDatabase,
} from '../apps/server/test/template-database.ts';

/** The variable in which the global setup passes the template database to the workers. */
export const TEMPLATE_VARIABLE = 'JOURNEYS_TEMPLATE_DATABASE';

/** Creates a migrated, empty database for one server under test. */
export function createTestDatabase(): Promise<TestDatabase> {
  const template = process.env[TEMPLATE_VARIABLE];
  if (!template) throw new Error(`${TEMPLATE_VARIABLE} is not set: run the journeys with npm test`);
  return copyTemplate(JSON.parse(template) as TemplateDatabase);
}
