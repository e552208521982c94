import type { Row } from '../../db/tables.ts';

export type Rule = Row<
  'earning_rules',
  | 'version'
  | 'admin_id'
  | 'role'
  | 'percent_hundredths'
  | 'hourly_cents'
  | 'credit'
  | 'effective_at'
>;

/** An admin whose rule is looked up. */
export type Earner = Row<'admins', 'id' | 'role'>;

/** Groups items by key and keeps their order. */
export function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Divides two integers and rounds to the nearest integer, halves away from zero. */
function divide(amount: number, by: number): number {
  const rounded = Math.floor((2 * Math.abs(amount) + by) / (2 * by));
  return amount < 0 ? -rounded : rounded;
}

/** @param hundredths the rate, in hundredths of a percent @returns cents */
export const percentOf = (cents: number, hundredths: number): number =>
  divide(cents * hundredths, 10_000) || 0;

/** @returns cents */
const wageOf = (seconds: number, hourlyCents: number): number =>
  divide(seconds * hourlyCents, 3_600);

/** Caches an admin's rules, in order of precedence, by role and id. Sorting them for each of a million lines would be slow. */
const orders = new WeakMap<readonly Rule[], Map<string, Map<string, readonly Rule[]>>>();

function inOrder(rules: readonly Rule[], { id, role }: Earner): readonly Rule[] {
  const byRole = orders.get(rules) ?? new Map<string, Map<string, readonly Rule[]>>();
  const known = byRole.get(role)?.get(id);
  if (known !== undefined) return known;
  const ordered = rules
    .filter((rule) => rule.admin_id === id || rule.role === role)
    .toSorted(
      (a, b) =>
        Number(a.admin_id === null) - Number(b.admin_id === null) ||
        +b.effective_at - +a.effective_at ||
        b.version - a.version,
    );
  orders.set(rules, byRole.set(role, (byRole.get(role) ?? new Map()).set(id, ordered)));
  return ordered;
}

/**
 * Returns the rule in force for an admin at a time, or null. The admin's own rules take precedence over the role's,
 * and newer rules over older ones.
 * @param rules must not change afterwards, because their order is cached
 */
const ruleFor = (rules: readonly Rule[], earner: Earner, at: Date): Rule | null =>
  // `getTime` is several times as fast as a comparison of dates.
  inOrder(rules, earner).find((rule) => rule.effective_at.getTime() <= at.getTime()) ?? null;

/** Returns whether a sale is shared among the admins on the clock, if there are any. */
export const isShared = (rules: readonly Rule[], sender: Earner, at: Date): boolean =>
  ruleFor(rules, sender, at)?.credit === 'shift';

/**
 * Splits an amount equally, to the cent. The first recipients get the remaining cents, one each.
 * @param cents not negative
 * @param among the recipients, ordered by id; not empty
 */
function splitEqually<T>(cents: number, among: readonly T[]): { to: T; cents: number }[] {
  const each = Math.floor(cents / among.length);
  const remaining = cents % among.length;
  return among.map((to, index) => ({ to, cents: each + (index < remaining ? 1 : 0) }));
}

/** An admin's earnings from a sale or from time on the clock. */
export interface Share {
  readonly admin_id: string;
  readonly base_cents: number;
  readonly amount_cents: number;
  readonly rate_hundredths: number | null;
  readonly rule_version: number | null;
  readonly shift_id: string | null;
  readonly shared_by: number;
  readonly seconds: number | null;
}

/** An admin on the clock, and their planned shift. */
export interface OnClock extends Earner {
  readonly shift_id: string | null;
}

/**
 * Returns each admin's share of a sale. The sender's rule decides who is credited; the credited admin's own rule decides how much
 * they earn.
 * @param onClock returns the admins on the clock at a time, ordered by id; called for shared sales only
 */
export function sharesOfSale(
  rules: readonly Rule[],
  sale: { readonly sender: Earner; readonly cents: number; readonly at: Date },
  onClock: (at: Date) => readonly OnClock[],
): Share[] {
  const { sender, cents, at } = sale;
  const present = isShared(rules, sender, at) ? onClock(at) : [];
  const credited = present.length > 0 ? present : [{ ...sender, shift_id: null }];
  return splitEqually(cents, credited)
    .filter((share) => share.cents > 0)
    .map(({ to, cents: base }) => {
      const rule = ruleFor(rules, to, at);
      return {
        admin_id: to.id,
        base_cents: base,
        amount_cents: percentOf(base, rule?.percent_hundredths ?? 0),
        rate_hundredths: rule?.percent_hundredths ?? null,
        rule_version: rule?.version ?? null,
        shift_id: to.shift_id,
        shared_by: credited.length,
        seconds: null,
      };
    });
}

/** Returns the earnings for time on the clock, under the rule in force when the clock started. Only whole seconds count. */
export function shareOfHours(
  rules: readonly Rule[],
  clock: { readonly admin: OnClock; readonly started_at: Date; readonly ended_at: Date },
): Share {
  const { admin, started_at, ended_at } = clock;
  const rule = ruleFor(rules, admin, started_at);
  const seconds = Math.floor((+ended_at - +started_at) / 1_000);
  return {
    admin_id: admin.id,
    base_cents: 0,
    amount_cents: wageOf(seconds, rule?.hourly_cents ?? 0),
    rate_hundredths: rule?.hourly_cents ?? null,
    rule_version: rule?.version ?? null,
    shift_id: admin.shift_id,
    shared_by: 1,
    seconds,
  };
}
