import type { AuditEntry } from '@stagedoor/contract/team/audit';
import type { ReactNode } from 'react';
import { locale, t } from '../../lib/text/i18n.ts';

/** The fields of an entry that its sentence uses. */
export type EntryFields = Pick<AuditEntry, 'action' | 'target_id' | 'target_label' | 'details'>;
/** Returns an admin's name; null if unknown. */
export type NameOf = (adminId: string) => string | null;

/** The texts of an action. */
interface Words {
  /** The action's label in the filter. */
  label: string;
  /** Returns what the actor did, as a sentence. @param values the values that several texts contain */
  sentence: (
    actor: { actor: ReactNode },
    values: Readonly<Record<SharedValue, string>>,
    entry: EntryFields,
    nameOf: NameOf,
  ) => ReactNode;
}

type SharedValue = 'fan' | 'name' | 'email' | 'person' | 'role' | 'holder' | 'author';

export type ActionTexts = Readonly<Record<string, Words>>;

/** Returns a detail that is a string; empty for anything else. */
export const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** Joins a list of texts in the page's language. */
export const list = new Intl.ListFormat(locale, { type: 'unit', style: 'short' });

const ROLES: Readonly<Record<string, string>> = {
  support: t('support'),
  moderator: t('moderator'),
  manager: t('manager'),
  creator: t('creator'),
};

/** Returns a role's name within a sentence. */
export const roleOf = (role: unknown) => ROLES[textOf(role)] ?? textOf(role);

/** Returns the name of an admin in a detail. */
export const teammate = (id: unknown, nameOf: NameOf) => nameOf(textOf(id)) ?? t('a teammate');
