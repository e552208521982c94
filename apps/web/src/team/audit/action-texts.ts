import type { AuditEntry } from '@stagedoor/contract/team/audit';
import type { ReactNode } from 'react';
import { locale, t } from '../../lib/text/i18n.ts';

/** The fields of an entry that its sentence uses. */
export type EntryFields = Pick<AuditEntry, 'action' | 'target_id' | 'target_label' | 'details'>;
/** Returns an admin's name; null if unknown. */
export type NameOf = (adminId: string) => string | null;

/** Returns what the actor did. `values` are the values that several texts use. */
export type Sentence = (context: {
  actor: ReactNode;
  values: Readonly<Record<string, string>>;
  entry: EntryFields;
  nameOf: NameOf;
}) => ReactNode;

/** For each action, its label in the filter and its sentence. */
export type ActionTexts = Readonly<Record<string, readonly [label: string, sentence: Sentence]>>;

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

/** Returns the admin in a detail as a phrase's value `teammate`. */
export const teammateIn = (detail: string) => (entry: EntryFields, nameOf: NameOf) => ({
  teammate: teammate(entry.details[detail], nameOf),
});
