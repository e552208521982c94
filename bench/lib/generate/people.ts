import { FIRST_NAMES, LAST_NAMES } from '../vocabulary.ts';
import type { Filling } from './copy-rows.ts';
import { draw, hexOf, KIND, pick, SALT, uuidOf } from './numbers.ts';
import type { Plan } from './plan.ts';

export const DAY_MS = 86_400_000;
const days = new Map<number, string>();
const DIGITS = Array.from({ length: 1000 }, (_, value) => String(value).padStart(3, '0'));

/** Formats a time as an ISO string. Dates are cached, since this is called millions of times. */
export function iso(at: number): string {
  const day = Math.floor(at / DAY_MS);
  let date = days.get(day);
  if (date === undefined) {
    date = new Date(day * DAY_MS).toISOString().slice(0, 11);
    days.set(day, date);
  }
  const ms = at - day * DAY_MS;
  const two = (value: number) => DIGITS[Math.floor(value) % 60]?.slice(1);
  const hour = DIGITS[Math.floor(ms / 3_600_000)]?.slice(1);
  return `${date}${hour}:${two(ms / 60_000)}:${two(ms / 1000)}.${DIGITS[Math.floor(ms) % 1000]}Z`;
}

/** Picks an item by Zipf's law: the logarithm of its rank is uniformly distributed. */
const zipf = (list: readonly string[], salt: number, row: number): string =>
  list[Math.floor(Math.exp(draw(salt, row) * Math.log(list.length)) - 1)] ?? '';

const firstAt = (plan: Plan, i: number) => plan.at[plan.start[i] ?? 0] ?? 0;

/** Generates the fans; one in ten has profile notes. */
export function fans(plan: Plan, nextSentence: () => string): Filling {
  return {
    table: 'fans',
    columns: 'id external_id first_name last_name username email timezone created_at notes',
    expected: plan.conversations,
    *rows() {
      for (let i = 0; i < plan.conversations; i++) {
        const [first, last] = [
          zipf(FIRST_NAMES, SALT.firstName, i),
          zipf(LAST_NAMES, SALT.lastName, i),
        ];
        const handle = `${first.toLowerCase()}_${last.slice(0, 3).toLowerCase()}${i + 1}`;
        const notes = draw(SALT.notes, i) < 0.1 ? nextSentence() : '';
        const email = `${handle}@example.com`;
        const began = iso(firstAt(plan, i));
        const id = uuidOf(KIND.fan, i);
        yield [id, `fan-${i + 1}`, first, last, handle, email, 'Europe/Lisbon', began, notes];
      }
    },
  };
}

/** The tag library, and how many fans in a thousand have each tag. */
export const TAGS: readonly (readonly [label: string, perMille: number])[] = [
  ['VIP', 95],
  ['new', 95],
  ['refund', 95],
  ['birthday', 95],
  ['Portugal', 95],
  ['JP', 95],
  ['wedding', 1],
];

/**
 * Generates the fans' tags.
 * @param ids the ids of the library's tags, in the order of {@link TAGS}
 */
export function fanTags(plan: Plan, ids: readonly string[]): Filling {
  const perMille = TAGS.reduce((sum, [, share]) => sum + share, 0);
  return {
    table: 'fan_tags',
    columns: 'fan_id position global_tag_id',
    expected: Math.ceil((plan.conversations * perMille) / 1000),
    *rows() {
      for (let i = 0; i < plan.conversations; i++) {
        for (const [index, [, perMille]] of TAGS.entries()) {
          if (pick(100 + index, i, 1000) >= perMille) continue;
          yield [uuidOf(KIND.fan, i), index + 1, ids[index] ?? null];
        }
      }
    },
  };
}

const BENEFITS = ['1_month_free', '3_months_free', '24_hours_free', 'full_subscription'] as const;

/** Generates benefits for two fans in five. */
export function benefits(plan: Plan): Filling {
  return {
    table: 'fan_benefits',
    columns: 'fan_id benefit_type status started_at ends_at',
    expected: Math.ceil(plan.conversations * 0.4),
    *rows() {
      for (let i = 0; i < plan.conversations; i++) {
        if (draw(SALT.benefit, i) >= 0.4) continue;
        const benefit = BENEFITS[pick(SALT.benefit, -i, 4)] ?? null;
        const began = firstAt(plan, i);
        const isSubscribed = benefit === 'full_subscription';
        yield [
          uuidOf(KIND.fan, i),
          benefit,
          isSubscribed ? 'subscribed' : 'trial',
          iso(began),
          isSubscribed ? null : iso(began + 30 * DAY_MS),
        ];
      }
    },
  };
}

/** Generates one invitation for every twenty fans; half are accepted. */
export function invites(plan: Plan, admins: readonly string[]): Filling {
  const count = Math.floor(plan.conversations / 20);
  return {
    table: 'invites',
    columns:
      'id email benefit_type state token_hash invited_by created_at sent_at expires_at accepted_at accepted_by',
    expected: count,
    *rows() {
      for (let n = 0; n < count; n++) {
        const at = plan.now - (1 - n / count) * 400 * DAY_MS;
        const drawn = draw(SALT.invite, n);
        const isAccepted = drawn < 0.5;
        const state = isAccepted
          ? 'accepted'
          : drawn < 0.8
            ? 'sent'
            : drawn < 0.95
              ? 'opened'
              : 'failed';
        yield [
          uuidOf(KIND.invite, n),
          `guest-${n}@example.com`,
          BENEFITS[pick(SALT.benefit, n, 4)] ?? null,
          state,
          `\\x${hexOf(KIND.invite, n).repeat(2)}`,
          admins[pick(SALT.author, -n, admins.length)] ?? null,
          iso(at),
          iso(at),
          iso(at + 14 * DAY_MS),
          isAccepted ? iso(Math.min(plan.now, at + DAY_MS)) : null,
          isAccepted ? uuidOf(KIND.fan, n * 20) : null,
        ];
      }
    },
  };
}

const ACTS = ['conversation.release_for_other', 'product.update', 'admin.update', 'invite.create'];

/** Generates one audit log entry for every five conversations. */
export function audit(plan: Plan, admins: readonly string[]): Filling {
  const count = Math.ceil(plan.conversations / 5);
  return {
    table: 'audit_log',
    columns: 'at admin_id action target_id details',
    expected: count,
    *rows() {
      for (let n = 0; n < count; n++) {
        const action = ACTS[Math.floor(ACTS.length * draw(SALT.audit, n) ** 2)] ?? '';
        yield [
          iso(plan.now - (1 - n / count) * 400 * DAY_MS),
          admins[pick(SALT.author, -n, admins.length)] ?? null,
          action,
          uuidOf(KIND.conversation, pick(SALT.audit, -n, plan.conversations)),
          '{"title": "Something"}',
        ];
      }
    },
  };
}
