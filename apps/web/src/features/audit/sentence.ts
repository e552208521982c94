import type { AuditEntry } from '@stagedoor/contract/audit';
import { exactTimeOf } from '../../lib/format.ts';
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
const quoted = ({ target_label }: Told) => (target_label === null ? '' : ` “${target_label}”`);

/** An admin as a target: codename and address, as far as they are known. */
function person({ target_id, target_label }: Told, nameOf: NameOf): string {
  const name = nameOf(target_id);
  if (name === null) return target_label ?? 'an admin';
  return target_label === null ? name : `${name} (${target_label})`;
}

function changedFields({ details }: Told): string {
  const names: Readonly<Record<string, string>> = { price_cents: 'price', folder_id: 'folder' };
  const fields = Object.keys(details).map((field) => names[field] ?? field.replaceAll('_', ' '));
  return fields.length > 0 ? `: ${fields.join(', ')}` : '';
}

/** Each rule of the team by its name, with what it was set to. */
function changedRules(details: Told['details']): string {
  return Object.entries(details)
    .filter(([rule]) => rule !== 'was')
    .map(([rule, value]) => {
      const name = RULES[rule] ?? rule.replaceAll('_', ' ');
      if (typeof value === 'boolean') return `${name} ${value ? 'on' : 'off'}`;
      return typeof value === 'number' ? `${name} ${value} h` : `${name} off`;
    })
    .join(', ');
}

const RULES: Readonly<Record<string, string>> = {
  claim_on_first_reply: 'claim on first reply',
  release_claims_after_hours: 'release claims without activity',
  reopen_on_fan_message: 'reopen archived conversations',
};

function priced({ details: { price_cents: cents } }: Told): string {
  return typeof cents === 'number' ? ` for ${formatPrice(cents / 100)}` : '';
}

const fanOf = ({ target_label }: Told) => target_label ?? 'a fan';

const WORDS: Readonly<Record<string, Words>> = {
  'admin.add': {
    label: 'Admin added',
    tell: (entry, nameOf) => `added ${person(entry, nameOf)} as ${textOf(entry.details.role)}`,
  },
  'admin.restore': {
    label: 'Admin invited back',
    tell: (entry, nameOf) =>
      `invited ${person(entry, nameOf)} back as ${textOf(entry.details.role)}`,
  },
  'admin.remove': {
    label: 'Admin removed',
    tell: (entry, nameOf) => `removed ${person(entry, nameOf)}`,
  },
  'admin.update_permissions': {
    label: 'Message privileges changed',
    tell: (entry, nameOf) =>
      entry.details.can_manage_messages === true
        ? `granted message privileges to ${person(entry, nameOf)}`
        : `revoked the message privileges of ${person(entry, nameOf)}`,
  },
  'admin.update_role': {
    label: 'Role changed',
    tell: (entry, nameOf) =>
      `changed the role of ${person(entry, nameOf)} from ${textOf(entry.details.was)} to ${textOf(entry.details.role)}`,
  },
  'admin.update_codename': {
    label: 'Codename changed',
    tell: ({ details }) => `renamed ${textOf(details.was)} to ${textOf(details.codename)}`,
  },
  'admin.update_color': {
    label: 'Color changed',
    tell: (entry, nameOf) => `changed the color of ${person(entry, nameOf)}`,
  },
  'passkey.add': {
    label: 'Passkey added',
    tell: ({ details }) => `added the passkey “${textOf(details.name)}” to their account`,
  },
  'passkey.rename': {
    label: 'Passkey renamed',
    tell: ({ details }) =>
      `renamed their passkey “${textOf(details.was)}” to “${textOf(details.name)}”`,
  },
  'passkey.remove': {
    label: 'Passkey removed',
    tell: ({ details }) => `removed their passkey “${textOf(details.name)}”`,
  },
  'passkey.reset': {
    label: 'Passkeys reset',
    tell: (entry, nameOf) => `reset the passkeys of ${person(entry, nameOf)}`,
  },
  'passkey.require': {
    label: 'Passkey required of a role',
    tell: ({ details }) => `required a passkey of the role ${textOf(details.role)}`,
  },
  'passkey.lift': {
    label: 'Passkey no longer required of a role',
    tell: ({ details }) => `no longer required a passkey of the role ${textOf(details.role)}`,
  },
  'passkey.suspect': {
    label: 'Passkey refused as a possible copy',
    tell: ({ details }) =>
      `was refused with the passkey “${textOf(details.name)}”, of which there may be a copy`,
  },
  'creator.update_avatar': {
    label: 'Profile picture changed',
    tell: () => 'changed the profile picture',
  },
  'conversation.release_for_other': {
    label: 'Claim released for a colleague',
    tell: (entry, nameOf) => {
      const holder = nameOf(textOf(entry.details.claimed_by)) ?? 'a colleague';
      return `released the conversation with ${entry.target_label ?? 'a fan'}, which ${holder} had claimed`;
    },
  },
  'conversation.snooze': {
    label: 'Conversation snoozed',
    tell: ({ target_label, details }) => {
      const until = textOf(details.until);
      const name = target_label ?? 'a fan';
      return until === ''
        ? `snoozed the conversation with ${name} until they write`
        : `snoozed the conversation with ${name} until ${exactTimeOf(until)}`;
    },
  },
  'conversation.unsnooze': {
    label: 'Snooze ended',
    tell: ({ target_label }) =>
      `ended the snooze of the conversation with ${target_label ?? 'a fan'}`,
  },
  'statement.pin': {
    label: 'Statement pinned',
    tell: (entry) => `noted what ${fanOf(entry)} was told`,
  },
  'statement.change': {
    label: 'Statement changed',
    tell: (entry) => `changed a note of what ${fanOf(entry)} was told`,
  },
  'statement.remove': {
    label: 'Statement removed',
    tell: (entry) => `removed a note of what ${fanOf(entry)} was told`,
  },
  'promise.make': {
    label: 'Promise noted',
    tell: (entry) => `noted a promise to ${fanOf(entry)}`,
  },
  'promise.change': {
    label: 'Promise changed',
    tell: (entry) => `changed a promise to ${fanOf(entry)}`,
  },
  'promise.keep': {
    label: 'Promise done',
    tell: (entry) => `marked a promise to ${fanOf(entry)} as done`,
  },
  'promise.reopen': {
    label: 'Promise reopened',
    tell: (entry) => `marked a promise to ${fanOf(entry)} as not done`,
  },
  'promise.remove': {
    label: 'Promise removed',
    tell: (entry) => `removed a promise to ${fanOf(entry)}`,
  },
  'conversation.hand_over': {
    label: 'Conversation handed over',
    tell: ({ target_label, details: { to } }, nameOf) => {
      const fan = target_label ?? 'a fan';
      return to === null
        ? `released the conversation with ${fan} at the end of a shift`
        : `handed the conversation with ${fan} over to ${nameOf(textOf(to)) ?? 'a colleague'}`;
    },
  },
  'admin.end_shift': {
    label: 'Shift ended',
    tell: ({ details: { to, conversations } }, nameOf) =>
      to === null
        ? `ended a shift and released their conversations (${Number(conversations)})`
        : `ended a shift and handed over to ${nameOf(textOf(to)) ?? 'a colleague'} (${Number(conversations)})`,
  },
  'conversation.edit_staff_note': {
    label: 'Staff note changed',
    tell: ({ target_label }) =>
      `changed a staff note of theirs in the conversation with ${target_label ?? 'a fan'}`,
  },
  'conversation.delete_staff_note': {
    label: 'Staff note deleted',
    tell: (entry, nameOf) => {
      const author = nameOf(textOf(entry.details.author_id)) ?? 'a colleague';
      return `deleted a staff note by ${author} in the conversation with ${entry.target_label ?? 'a fan'}`;
    },
  },
  'conversation.take_over': {
    label: 'Claim taken over',
    tell: (entry, nameOf) => {
      const holder = nameOf(textOf(entry.details.claimed_by)) ?? 'a colleague';
      return `took over the conversation with ${entry.target_label ?? 'a fan'}, which ${holder} had claimed`;
    },
  },
  'conversation.release_expired': {
    label: 'Claim released without activity',
    tell: (entry, nameOf) => {
      const holder = nameOf(textOf(entry.details.claimed_by)) ?? 'a colleague';
      return `released the conversation with ${entry.target_label ?? 'a fan'}, in which ${holder} had written nothing for too long`;
    },
  },
  'settings.update': {
    label: 'Team rules changed',
    tell: ({ details }) => `changed the team’s rules: ${changedRules(details)}`,
  },
  'invite.create': {
    label: 'Invitation sent',
    tell: ({ target_label }) => `invited ${target_label ?? 'someone'} to the platform`,
  },
  'invite.resend': {
    label: 'Invitation sent again',
    tell: ({ target_label }) => `sent the invitation of ${target_label ?? 'someone'} again`,
  },
  'product.create': {
    label: 'Product created',
    tell: (entry) => `created the product${quoted(entry)}${priced(entry)}`,
  },
  'product.update': {
    label: 'Product changed',
    tell: (entry) => `changed the product${quoted(entry)}${changedFields(entry)}`,
  },
  'product.delete': {
    label: 'Product deleted',
    tell: (entry) => `deleted the product${quoted(entry)}`,
  },
  'folder.create': {
    label: 'Folder created',
    tell: (entry) => `created the folder${quoted(entry)}`,
  },
  'folder.update': {
    label: 'Folder changed',
    tell: (entry) => `changed the folder${quoted(entry)}${changedFields(entry)}`,
  },
  'folder.delete': {
    label: 'Folder deleted',
    tell: (entry) => `deleted the folder${quoted(entry)}`,
  },
  'scheduled.cancel_for_other': {
    label: 'Scheduled message cancelled for a colleague',
    tell: (entry, nameOf) => {
      const author = nameOf(textOf(entry.details.scheduled_by)) ?? 'a colleague';
      return `cancelled a message that ${author} had scheduled`;
    },
  },
  'template.create': {
    label: 'Template made',
    tell: (entry) => `made the template${quoted(entry)}`,
  },
  'template.update': {
    label: 'Template changed',
    tell: (entry) => `changed the template${quoted(entry)}`,
  },
  'template.delete': {
    label: 'Template deleted',
    tell: (entry) => `deleted the template${quoted(entry)}`,
  },
  'guard_rails.update': {
    label: 'Guard rails changed',
    tell: () => 'changed which words and prices are allowed in messages',
  },
  'platform_key.create': {
    label: 'Platform key made',
    tell: (entry) => `made the platform key${quoted(entry)}`,
  },
  'platform_key.revoke': {
    label: 'Platform key revoked',
    tell: (entry) => `revoked the platform key${quoted(entry)}`,
  },
  'webhook.test': {
    label: 'Test event sent',
    tell: () => 'sent a test event to the webhook',
  },
  'webhook.redeliver': {
    label: 'Event delivered again',
    tell: ({ details }) => `had an event (${textOf(details.type)}) delivered to the webhook again`,
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
  return `did “${verb}” on ${thing}${quoted(entry)}`;
}
