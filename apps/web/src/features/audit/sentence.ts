import type { AuditEntry } from '@stagedoor/contract/audit';
import { exactTimeOf } from '../../lib/format.ts';
import { locale, t } from '../../lib/i18n.ts';
import { formatPrice } from '../../lib/price.ts';

type Told = Pick<AuditEntry, 'action' | 'target_id' | 'target_label' | 'details'>;
/** What an admin is called among colleagues; null for who is not known. */
export type NameOf = (adminId: string) => string | null;

interface Words {
  /** Names the action where one is chosen. */
  label: string;
  /** What follows the name of who did it. */
  tell: (entry: Told, nameOf: NameOf) => string;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const list = new Intl.ListFormat(locale, { type: 'unit', style: 'short' });

/** An admin as a target: codename and address, as far as they are known. */
function person({ target_id, target_label }: Told, nameOf: NameOf): string {
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
const roleOf = (role: unknown) => ROLES[textOf(role)] ?? textOf(role);

const FIELDS: Readonly<Record<string, string>> = {
  title: t('title'),
  name: t('name'),
  description: t('description'),
  price_cents: t('price'),
  folder_id: t('folder'),
  is_active: t('is active'),
};

function changedFields({ details }: Told): string {
  const fields = Object.keys(details).map((field) => FIELDS[field] ?? field.replaceAll('_', ' '));
  return list.format(fields);
}

/** Each rule of the team by its name, with what it was set to. */
function changedRules(details: Told['details']): string {
  const rules = Object.entries(details)
    .filter(([rule]) => rule !== 'was')
    .map(([name, value]) => {
      const rule = RULES[name] ?? name.replaceAll('_', ' ');
      if (typeof value === 'number') return t('{rule} {hours} h', { rule, hours: value });
      return value === true ? t('{rule} on', { rule }) : t('{rule} off', { rule });
    });
  return list.format(rules);
}

const RULES: Readonly<Record<string, string>> = {
  claim_on_first_reply: t('claim on first reply'),
  release_claims_after_hours: t('release claims without activity'),
  reopen_on_fan_message: t('reopen archived conversations'),
};

function priceOf({ details: { price_cents: cents } }: Told): string | null {
  return typeof cents === 'number' ? formatPrice(cents / 100) : null;
}

const fanOf = ({ target_label }: Told) => target_label ?? t('a fan');
const colleague = (id: unknown, nameOf: NameOf) => nameOf(textOf(id)) ?? t('a colleague');

const WORDS: Readonly<Record<string, Words>> = {
  'admin.add': {
    label: t('Admin added'),
    tell: (entry, nameOf) =>
      t('added {person} as {role}', {
        person: person(entry, nameOf),
        role: roleOf(entry.details.role),
      }),
  },
  'admin.restore': {
    label: t('Admin invited back'),
    tell: (entry, nameOf) =>
      t('invited {person} back as {role}', {
        person: person(entry, nameOf),
        role: roleOf(entry.details.role),
      }),
  },
  'admin.remove': {
    label: t('Admin removed'),
    tell: (entry, nameOf) => t('removed {person}', { person: person(entry, nameOf) }),
  },
  'admin.update_permissions': {
    label: t('Message privileges changed'),
    tell: (entry, nameOf) =>
      entry.details.can_manage_messages === true
        ? t('granted message privileges to {person}', { person: person(entry, nameOf) })
        : t('revoked the message privileges of {person}', { person: person(entry, nameOf) }),
  },
  'admin.update_role': {
    label: t('Role changed'),
    tell: (entry, nameOf) =>
      t('changed the role of {person} from {was} to {role}', {
        person: person(entry, nameOf),
        was: roleOf(entry.details.was),
        role: roleOf(entry.details.role),
      }),
  },
  'admin.update_codename': {
    label: t('Codename changed'),
    tell: ({ details }) =>
      t('renamed {was} to {codename}', {
        was: textOf(details.was),
        codename: textOf(details.codename),
      }),
  },
  'admin.update_color': {
    label: t('Color changed'),
    tell: (entry, nameOf) => t('changed the color of {person}', { person: person(entry, nameOf) }),
  },
  'passkey.add': {
    label: t('Passkey added'),
    tell: ({ details }) =>
      t('added the passkey “{name}” to their account', { name: textOf(details.name) }),
  },
  'passkey.rename': {
    label: t('Passkey renamed'),
    tell: ({ details }) =>
      t('renamed their passkey “{was}” to “{name}”', {
        was: textOf(details.was),
        name: textOf(details.name),
      }),
  },
  'passkey.remove': {
    label: t('Passkey removed'),
    tell: ({ details }) => t('removed their passkey “{name}”', { name: textOf(details.name) }),
  },
  'passkey.reset': {
    label: t('Passkeys reset'),
    tell: (entry, nameOf) => t('reset the passkeys of {person}', { person: person(entry, nameOf) }),
  },
  'passkey.require': {
    label: t('Passkey required of a role'),
    tell: ({ details }) =>
      t('required a passkey of the role {role}', { role: roleOf(details.role) }),
  },
  'passkey.lift': {
    label: t('Passkey no longer required of a role'),
    tell: ({ details }) =>
      t('no longer required a passkey of the role {role}', { role: roleOf(details.role) }),
  },
  'passkey.suspect': {
    label: t('Passkey refused as a possible copy'),
    tell: ({ details }) =>
      t('was refused with the passkey “{name}”, of which there may be a copy', {
        name: textOf(details.name),
      }),
  },
  'creator.update_avatar': {
    label: t('Profile picture changed'),
    tell: () => t('changed the profile picture'),
  },
  'conversation.release_for_other': {
    label: t('Claim released for a colleague'),
    tell: (entry, nameOf) =>
      t('released the conversation with {fan}, which {holder} had claimed', {
        fan: fanOf(entry),
        holder: colleague(entry.details.claimed_by, nameOf),
      }),
  },
  'conversation.snooze': {
    label: t('Conversation snoozed'),
    tell: (entry) => {
      const until = textOf(entry.details.until);
      const fan = fanOf(entry);
      return until === ''
        ? t('snoozed the conversation with {fan} until they write', { fan })
        : t('snoozed the conversation with {fan} until {time}', { fan, time: exactTimeOf(until) });
    },
  },
  'conversation.unsnooze': {
    label: t('Snooze ended'),
    tell: (entry) => t('ended the snooze of the conversation with {fan}', { fan: fanOf(entry) }),
  },
  'statement.pin': {
    label: t('Statement pinned'),
    tell: (entry) => t('noted what {fan} was told', { fan: fanOf(entry) }),
  },
  'statement.change': {
    label: t('Statement changed'),
    tell: (entry) => t('changed a note of what {fan} was told', { fan: fanOf(entry) }),
  },
  'statement.remove': {
    label: t('Statement removed'),
    tell: (entry) => t('removed a note of what {fan} was told', { fan: fanOf(entry) }),
  },
  'promise.make': {
    label: t('Promise noted'),
    tell: (entry) => t('noted a promise to {fan}', { fan: fanOf(entry) }),
  },
  'promise.change': {
    label: t('Promise changed'),
    tell: (entry) => t('changed a promise to {fan}', { fan: fanOf(entry) }),
  },
  'promise.keep': {
    label: t('Promise done'),
    tell: (entry) => t('marked a promise to {fan} as done', { fan: fanOf(entry) }),
  },
  'promise.reopen': {
    label: t('Promise reopened'),
    tell: (entry) => t('marked a promise to {fan} as not done', { fan: fanOf(entry) }),
  },
  'promise.remove': {
    label: t('Promise removed'),
    tell: (entry) => t('removed a promise to {fan}', { fan: fanOf(entry) }),
  },
  'conversation.hand_over': {
    label: t('Conversation handed over'),
    tell: (entry, nameOf) => {
      const { to } = entry.details;
      const fan = fanOf(entry);
      return to === null
        ? t('released the conversation with {fan} at the end of a shift', { fan })
        : t('handed the conversation with {fan} over to {colleague}', {
            fan,
            colleague: colleague(to, nameOf),
          });
    },
  },
  'admin.end_shift': {
    label: t('Shift ended'),
    tell: ({ details: { to, conversations } }, nameOf) => {
      const count = Number(conversations);
      return to === null
        ? t('ended a shift and released their conversations ({count})', { count })
        : t('ended a shift and handed over to {colleague} ({count})', {
            colleague: colleague(to, nameOf),
            count,
          });
    },
  },
  'conversation.edit_staff_note': {
    label: t('Staff note changed'),
    tell: (entry) =>
      t('changed a staff note of theirs in the conversation with {fan}', { fan: fanOf(entry) }),
  },
  'conversation.delete_staff_note': {
    label: t('Staff note deleted'),
    tell: (entry, nameOf) =>
      t('deleted a staff note by {author} in the conversation with {fan}', {
        author: colleague(entry.details.author_id, nameOf),
        fan: fanOf(entry),
      }),
  },
  'conversation.take_over': {
    label: t('Claim taken over'),
    tell: (entry, nameOf) =>
      t('took over the conversation with {fan}, which {holder} had claimed', {
        fan: fanOf(entry),
        holder: colleague(entry.details.claimed_by, nameOf),
      }),
  },
  'conversation.release_expired': {
    label: t('Claim released without activity'),
    tell: (entry, nameOf) =>
      t(
        'released the conversation with {fan}, in which {holder} had written nothing for too long',
        {
          fan: fanOf(entry),
          holder: colleague(entry.details.claimed_by, nameOf),
        },
      ),
  },
  'settings.update': {
    label: t('Team rules changed'),
    tell: ({ details }) => t('changed the team’s rules: {rules}', { rules: changedRules(details) }),
  },
  'invite.create': {
    label: t('Invitation sent'),
    tell: ({ target_label }) =>
      t('invited {email} to the platform', { email: target_label ?? t('someone') }),
  },
  'invite.resend': {
    label: t('Invitation sent again'),
    tell: ({ target_label }) =>
      t('sent the invitation of {email} again', { email: target_label ?? t('someone') }),
  },
  'product.create': {
    label: t('Product created'),
    tell: (entry) => {
      const { target_label: name } = entry;
      const price = priceOf(entry);
      if (price === null)
        return name === null
          ? t('created the product')
          : t('created the product “{name}”', { name });
      return name === null
        ? t('created the product for {price}', { price })
        : t('created the product “{name}” for {price}', { name, price });
    },
  },
  'product.update': {
    label: t('Product changed'),
    tell: (entry) => {
      const { target_label: name } = entry;
      const fields = changedFields(entry);
      if (fields === '')
        return name === null
          ? t('changed the product')
          : t('changed the product “{name}”', { name });
      return name === null
        ? t('changed the product: {fields}', { fields })
        : t('changed the product “{name}”: {fields}', { name, fields });
    },
  },
  'product.delete': {
    label: t('Product deleted'),
    tell: ({ target_label: name }) =>
      name === null ? t('deleted the product') : t('deleted the product “{name}”', { name }),
  },
  'folder.create': {
    label: t('Folder created'),
    tell: ({ target_label: name }) =>
      name === null ? t('created the folder') : t('created the folder “{name}”', { name }),
  },
  'folder.update': {
    label: t('Folder changed'),
    tell: (entry) => {
      const { target_label: name } = entry;
      const fields = changedFields(entry);
      if (fields === '')
        return name === null ? t('changed the folder') : t('changed the folder “{name}”', { name });
      return name === null
        ? t('changed the folder: {fields}', { fields })
        : t('changed the folder “{name}”: {fields}', { name, fields });
    },
  },
  'folder.delete': {
    label: t('Folder deleted'),
    tell: ({ target_label: name }) =>
      name === null ? t('deleted the folder') : t('deleted the folder “{name}”', { name }),
  },
  'scheduled.cancel_for_other': {
    label: t('Scheduled message cancelled for a colleague'),
    tell: ({ details }, nameOf) =>
      t('cancelled a message that {author} had scheduled', {
        author: colleague(details.scheduled_by, nameOf),
      }),
  },
  'template.create': {
    label: t('Template made'),
    tell: ({ target_label: name }) =>
      name === null ? t('made the template') : t('made the template “{name}”', { name }),
  },
  'template.update': {
    label: t('Template changed'),
    tell: ({ target_label: name }) =>
      name === null ? t('changed the template') : t('changed the template “{name}”', { name }),
  },
  'template.delete': {
    label: t('Template deleted'),
    tell: ({ target_label: name }) =>
      name === null ? t('deleted the template') : t('deleted the template “{name}”', { name }),
  },
  'guard_rails.update': {
    label: t('Guard rails changed'),
    tell: () => t('changed which words and prices are allowed in messages'),
  },
  'platform_key.create': {
    label: t('Platform key made'),
    tell: ({ target_label: name }) =>
      name === null ? t('made the platform key') : t('made the platform key “{name}”', { name }),
  },
  'platform_key.revoke': {
    label: t('Platform key revoked'),
    tell: ({ target_label: name }) =>
      name === null
        ? t('revoked the platform key')
        : t('revoked the platform key “{name}”', { name }),
  },
  'webhook.test': {
    label: t('Test event sent'),
    tell: () => t('sent a test event to the webhook'),
  },
  'webhook.redeliver': {
    label: t('Event delivered again'),
    tell: ({ details }) =>
      t('had an event ({type}) delivered to the webhook again', { type: textOf(details.type) }),
  },
};

/** `thing.some_verb` as words. */
function plain(action: string): { thing: string; verb: string } {
  const [thing = '', verb = ''] = action.split('.');
  return { thing: thing.replaceAll('_', ' '), verb: verb.replaceAll('_', ' ') };
}

/** What an action is called where one is chosen. Those that are not known here yet are named by their parts. */
export function actionLabel(action: string): string {
  const { thing, verb } = plain(action);
  return WORDS[action]?.label ?? capitalized(verb === '' ? thing : `${thing}: ${verb}`);
}

/** What was done, as the sentence goes on after the name of who did it. */
export function deedOf(entry: Told, nameOf: NameOf): string {
  const words = WORDS[entry.action];
  if (words) return words.tell(entry, nameOf);
  const { thing, verb } = plain(entry.action);
  const { target_label: name } = entry;
  return name === null
    ? t('did “{verb}” on {thing}', { verb, thing })
    : t('did “{verb}” on {thing} “{name}”', { verb, thing, name });
}
