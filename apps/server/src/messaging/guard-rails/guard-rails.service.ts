import {
  type BannedWords,
  findBanned,
  isWord,
  prepareWords,
} from '@stagedoor/contract/messaging/banned-words';
import type { GuardRails } from '@stagedoor/contract/messaging/guard-rails';
import { type AttachmentInput, namedAttachment } from '@stagedoor/contract/messaging/messages';
import { toCents } from '@stagedoor/contract/selling/cents';
import { writeAudit } from '../../db/audit.ts';
import type { Core } from '../../domain.ts';
import * as errors from '../../errors.ts';
import type { Manager } from '../../http/route.ts';
import { every } from '../../realtime/outbox.ts';
import { findGuardRails, findVersion, updateGuardRails } from './guard-rails.store.ts';

/** The interval at which this node checks for changes made on other nodes. Milliseconds. */
const LOOK_EVERY_MS = 500;

/** The part of a message that guard rails check. */
interface CheckedMessage {
  readonly content: string;
  readonly attachments: readonly AttachmentInput[];
}

/** The settings, prepared so that checking a message needs no query. */
interface Held extends Omit<GuardRails, 'banned_words'> {
  readonly words: BannedWords;
}

export type GuardRailsService = Awaited<ReturnType<typeof openGuardRails>>;

/** Loads the guard rails, which are banned words and price limits set by managers. Refreshes them in memory twice a second. */
export async function openGuardRails({ db, changeShared, logError }: Core) {
  let held = prepared(await findGuardRails(db.kysely));
  /** Incremented whenever `held` changes, so that a read that started before the change is discarded. */
  let changes = 0;
  const hold = (rails: GuardRails) => {
    held = prepared(rails);
    changes++;
  };
  const looking = every(
    LOOK_EVERY_MS,
    async () => {
      const before = changes;
      if ((await findVersion(db)) === held.version) return;
      const rails = await findGuardRails(db.kysely);
      if (changes === before) hold(rails);
    },
    logError,
  );

  return {
    read: (): Promise<GuardRails> => findGuardRails(db.kysely),

    /** Returns why a staff message is refused: 422 `banned_words` or `price_out_of_bounds`; null if it is allowed. */
    refusalOf: ({ content, attachments }: CheckedMessage): errors.AppError | null => {
      const found = new Set(findBanned(content, held.words).map(({ word }) => word));
      if (found.size > 0) return errors.bannedWords([...found]);
      const isOutside = attachments.some((input) => {
        const named = namedAttachment(input);
        return 'price' in named && !allows(held, named.price);
      });
      return isOutside ? errors.priceOutOfBounds(boundsText(held)) : null;
    },

    /**
     * Saves all settings.
     * @param rails with the version at which the settings were read
     * @throws AppError 400 for a banned word that can't match anything or a maximum below the minimum, 409 `edit_conflict`
     */
    async save({ admin }: Manager, rails: GuardRails): Promise<GuardRails> {
      requireValid(rails);
      const saved = await changeShared(async (tx, share) => {
        const before = await findGuardRails(tx, 'for update');
        if (before.version !== rails.version) throw errors.editConflict(before);
        const after = await updateGuardRails(tx, {
          ...rails,
          banned_words: once(rails.banned_words),
        });
        await writeAudit(tx, {
          adminId: admin.id,
          action: 'guard_rails.update',
          targetId: admin.id,
          details: differenceOf(before, after),
        });
        await share({ what: 'guard_rails' });
        return after;
      });
      hold(saved);
      return saved;
    },

    stop: looking.stop,
  };
}

const prepared = ({ banned_words, ...rails }: GuardRails): Held => ({
  ...rails,
  words: prepareWords(banned_words),
});

const allows = ({ price_min, price_max }: Held, price: number): boolean =>
  toCents(price) >= toCents(price_min ?? 0) &&
  toCents(price) <= toCents(price_max ?? Number.POSITIVE_INFINITY);

const money = (usd: number) => `$${usd.toFixed(2)}`;

function boundsText({ price_min, price_max }: Held): string {
  if (price_min !== null && price_max !== null)
    return `The price must be between ${money(price_min)} and ${money(price_max)}`;
  return price_min === null
    ? `The price must be at most ${money(price_max ?? 0)}`
    : `The price must be at least ${money(price_min)}`;
}

/** Removes duplicates, ignoring case and accents; keeps the order. */
const once = (words: readonly string[]): string[] => [...prepareWords(words).byTokens.values()];

function requireValid({ banned_words, price_min, price_max }: GuardRails): void {
  const odd = banned_words.find((word) => !isWord(word));
  if (odd !== undefined)
    throw errors.invalidField('banned_words', `Remove “${odd}”: it has no letters or digits`);
  if (price_min !== null && price_max !== null && price_max < price_min)
    throw errors.invalidField('price_max', 'Enter a maximum above the minimum');
}

/** Returns the differences, for the audit log. */
function differenceOf(before: GuardRails, after: GuardRails): Record<string, unknown> {
  const lacking = (words: readonly string[], others: readonly string[]) =>
    words.filter((word) => !others.includes(word));
  return {
    added: lacking(after.banned_words, before.banned_words),
    removed: lacking(before.banned_words, after.banned_words),
    ...(after.price_min !== before.price_min && { price_min: after.price_min }),
    ...(after.price_max !== before.price_max && { price_max: after.price_max }),
  };
}
