import type { AuditEntry } from '@stagedoor/contract/team/audit';
import { locale, t } from '../../lib/text/i18n.ts';

/** What of an entry tells what was done. */
export type Told = Pick<AuditEntry, 'action' | 'target_id' | 'target_label' | 'details'>;
/** What an admin is called among colleagues; null for who is not known. */
export type NameOf = (adminId: string) => string | null;

/** How an action is put into words. */
interface Words {
  /** Names the action where one is chosen. */
  label: string;
  /** What follows the name of who did it. */
  tell: (entry: Told, nameOf: NameOf) => string;
}

/** The words for actions, by their names. */
export type Deeds = Readonly<Record<string, Words>>;

/** A detail that is a text; empty where it is none. */
export const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** Several things in a row, as the language puts them. */
export const list = new Intl.ListFormat(locale, { type: 'unit', style: 'short' });

/** An admin as a target: codename and address, as far as they are known. */
export function person({ target_id, target_label }: Told, nameOf: NameOf): string {
  const name = nameOf(target_id);
  if (name === null) return target_label ?? t('an admin');
  return target_label === null ? name : `${name} (${target_label})`;
}

const ROLES: Readonly<Record<string, string>> = {
  support: t('support'),
  moderator: t('moderator'),
  manager: t('manager'),
  creator: t('creator'),
};

/** A role as it is called within a sentence. */
export const roleOf = (role: unknown) => ROLES[textOf(role)] ?? textOf(role);

/** The fan as a target. */
export const fanOf = ({ target_label }: Told) => target_label ?? t('a fan');

/** An admin who is named in a detail. */
export const colleague = (id: unknown, nameOf: NameOf) => nameOf(textOf(id)) ?? t('a colleague');
