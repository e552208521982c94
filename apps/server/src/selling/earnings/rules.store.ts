import { toUsd } from '@stagedoor/contract/selling/cents';
import type { CommissionRule } from '@stagedoor/contract/selling/earnings';
import type { Kysely } from 'kysely';
import type { Tables, Tx } from '../../db/tables.ts';
import type { Rule } from './calculate.ts';

/** Returns all versions of the rules with the names of their admins, newest first. */
export const readRuleViews = (db: Kysely<Tables>) =>
  db
    .selectFrom('earning_rules as r')
    .leftJoin('admins as a', 'a.id', 'r.admin_id')
    .select([
      'r.version',
      'r.admin_id',
      'a.codename',
      'r.role',
      'r.percent_hundredths',
      'r.hourly_cents',
      'r.credit',
      'r.effective_at',
    ])
    .orderBy('r.version', 'desc')
    .execute();

type RuleView = Awaited<ReturnType<typeof readRuleViews>>[number];

export const presentRule = (row: RuleView): CommissionRule => ({
  version: row.version,
  admin_id: row.admin_id,
  admin_codename: row.codename,
  role: row.role,
  percentage: row.percent_hundredths / 100,
  hourly_rate: toUsd(row.hourly_cents),
  credit: row.credit,
  effective_at: row.effective_at.toISOString(),
});

/** @returns the new rule's version */
export async function insertRule(
  tx: Tx,
  rule: Omit<Rule, 'version'> & { readonly created_by: string },
): Promise<number> {
  const { version } = await tx
    .insertInto('earning_rules')
    .values(rule)
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
}
