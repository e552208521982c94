import { startTemplateDatabase } from '../apps/server/test/template-database.ts';
import { TEMPLATE_VARIABLE } from './database.ts';

/** Starts one embedded database server for all journeys. Each worker copies its template database. */
export default async function setup(): Promise<() => Promise<void>> {
  const { template, stop } = await startTemplateDatabase(undefined);
  // Workers inherit the environment.
  process.env[TEMPLATE_VARIABLE] = JSON.stringify(template);
  return stop;
}
