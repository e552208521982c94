import { startTemplateDatabase } from '../apps/server/test/template-database.ts';
import { TEMPLATE_VARIABLE } from './database.ts';

/** One embedded database server for all journeys; each worker copies the template that it holds. */
export default async function setup(): Promise<() => Promise<void>> {
  const { template, stop } = await startTemplateDatabase(undefined);
  // Workers inherit the environment.
  process.env[TEMPLATE_VARIABLE] = JSON.stringify(template);
  return stop;
}
