import type { TestProject } from 'vitest/node';
import { startTemplateDatabase } from './template-database.ts';

/** Starts one database server for the whole run; each test file copies its template database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { template, stop } = await startTemplateDatabase(process.env.TEST_DATABASE_URL);
  project.provide('templateDatabase', template);
  return stop;
}
