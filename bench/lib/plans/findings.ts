/** A step of an executed plan, as returned by `explain (analyze, format json)`. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  /** The average over all loops. */
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Sort Space Type'?: string;
  readonly 'Hash Batches'?: number;
  readonly 'Disk Usage'?: number;
  readonly 'Temp Written Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Tables that grow with fans, messages and time: only previews may scan some of them completely. */
const LARGE_TABLES: ReadonlySet<string> = new Set(
  `audit_log conversations fan_benefits fan_links fan_sessions fan_spending fan_statements fan_tags fans invite_mails
invites messages owned_products product_sends purchases reactions sent_messages staff_notes uploads webhook_attempts webhook_events`.split(
    /\s+/,
  ),
);

/** The maximum number of rows that one step may read from a function, over all its loops. */
const FUNCTION_ROWS = 10_000;

/** The maximum number of rows that one step may read from a table, over all its loops. */
export interface Bounds {
  readonly [table: string]: number;
  readonly others: number;
}

/** Returns the problems of a plan as text; empty for a good plan. @param scannable the large tables that it may scan completely */
export function findings(
  plan: PlanNode,
  bounds: Bounds,
  scannable: readonly string[] = [],
): string[] {
  const found: string[] = [];
  for (const node of steps(plan)) {
    // This step was never executed.
    if (node['Actual Loops'] === 0) continue;
    const type = node['Node Type'];
    const table = node['Relation Name'];
    const where = node['Index Name'] ?? table ?? '';
    if (table !== undefined && LARGE_TABLES.has(table)) {
      if (type === 'Seq Scan' && !scannable.includes(table)) found.push(`reads all of ${table}`);
      const rows = rowsRead(node);
      if (rows > (bounds[table] ?? bounds.others))
        found.push(`${type} on ${where} reads ${rows} rows`);
    }
    if (type === 'Function Scan' && rowsRead(node) > FUNCTION_ROWS)
      found.push(`${type} reads ${rowsRead(node)} rows`);
    if (node['Sort Space Type'] === 'Disk') found.push('sorts on disk');
    if ((node['Hash Batches'] ?? 1) > 1) found.push('hashes on disk');
    if ((node['Disk Usage'] ?? 0) > 0) found.push('groups on disk');
  }
  if ((plan['Temp Written Blocks'] ?? 0) > 0) found.push('writes temporary files');
  return found;
}

function* steps(node: PlanNode): Generator<PlanNode> {
  yield node;
  for (const child of node.Plans ?? []) yield* steps(child);
}

/** Counts the rows that a step reads, including those it discards. */
function rowsRead(node: PlanNode): number {
  const each =
    (node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  return Math.round(each * (node['Actual Loops'] ?? 1));
}
