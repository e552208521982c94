import pg from 'pg';
import { query } from '../query.ts';
import type { PlanNode } from './findings.ts';

/** Makes PostgreSQL send the plan of every statement, with row counts, to the client that ran it. */
const SETTINGS: Readonly<Record<string, string>> = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
  'auto_explain.log_parameter_max_length': '0',
};

/**
 * Makes PostgreSQL send the plan of every statement that runs on a new connection to this database.
 * @param url the database's URL, with a user who may load libraries
 */
export async function explainEverything(url: string): Promise<void> {
  const name = pg.escapeIdentifier(new URL(url).pathname.slice(1));
  const statements = Object.entries(SETTINGS).map(
    ([setting, value]) => `alter database ${name} set ${setting} = ${pg.escapeLiteral(value)}`,
  );
  // All on one connection: a later one would preload auto_explain, and PostgreSQL 15 then refuses settings that are new in 16.
  await query(url, statements.join(';'));
}

/** Collects the plans that arrive on all new connections of this process. */
export function watchPlans(): { take(): PlanNode[]; stop(): void } {
  const plans: PlanNode[] = [];
  const { connect } = pg.Client.prototype;
  const listen = function (this: pg.Client, ...args: Parameters<typeof connect>) {
    this.on('notice', ({ message = '' }) => {
      const json = /^duration: .*plan:\n(?<json>[\s\S]*)$/.exec(message)?.groups?.json;
      if (json === undefined) return;
      plans.push((JSON.parse(json) as { Plan: PlanNode }).Plan);
    });
    return connect.apply(this, args);
  };
  pg.Client.prototype.connect = listen as typeof connect;
  return {
    take: () => plans.splice(0),
    stop: () => {
      pg.Client.prototype.connect = connect;
    },
  };
}
