import type { Permission } from '@stagedoor/contract/endpoint';
import type { SignedInAdmin } from '@stagedoor/contract/team/auth';
import type { Command } from '../../lib/commands.ts';
import { t } from '../../lib/text/i18n.ts';

/** A row in the list of shortcuts. */
export interface Shortcut extends Pick<Command, 'id' | 'title' | 'section'> {
  keys: readonly string[];
}

interface KnownShortcut extends Shortcut {
  /** The permission without which the shortcut does nothing. */
  needs?: Permission;
}

/** Shortcuts of other screens, fields and lists. Those of registered commands are added. */
const KNOWN: readonly KnownShortcut[] = [
  { id: 'palette', title: t('Command palette'), section: t('General'), keys: ['Mod+k'] },
  { id: 'shortcuts', title: t('Keyboard shortcuts'), section: t('General'), keys: ['?'] },
  { id: 'undo', title: t('Undo'), section: t('General'), keys: ['z'] },
  { id: 'search', title: t('Search conversations'), section: t('Inbox'), keys: ['/'] },
  { id: 'row.next', title: t('Move down'), section: t('Inbox'), keys: ['j', 'ArrowDown'] },
  { id: 'row.previous', title: t('Move up'), section: t('Inbox'), keys: ['k', 'ArrowUp'] },
  { id: 'row.ends', title: t('First and last'), section: t('Inbox'), keys: ['Home', 'End'] },
  { id: 'row.open', title: t('Open and reply'), section: t('Inbox'), keys: ['Enter'] },
  {
    id: 'conversation.next',
    title: t('Next conversation'),
    section: t('Inbox'),
    keys: ['Alt+ArrowDown'],
  },
  {
    id: 'conversation.previous',
    title: t('Previous conversation'),
    section: t('Inbox'),
    keys: ['Alt+ArrowUp'],
  },
  { id: 'unread', title: t('Unread'), section: t('Show'), keys: ['1'] },
  { id: 'mine', title: t('Mine'), section: t('Show'), keys: ['2'] },
  { id: 'all', title: t('All'), section: t('Show'), keys: ['3'] },
  { id: 'archived', title: t('Archived'), section: t('Show'), keys: ['4'] },
  ...(
    [
      { id: 'claim', title: t('Claim or release'), keys: ['c'] },
      { id: 'archive', title: t('Archive or unarchive'), keys: ['e'] },
      { id: 'flag', title: t('Flag or unflag'), keys: ['!'] },
      { id: 'reply', title: t('Reply to the focused message'), keys: ['r'] },
      { id: 'attach', title: t('Attach'), keys: ['a'] },
      { id: 'send_product', title: t('Send Product'), keys: ['p'] },
      { id: 'send_text', title: t('Send the text'), keys: ['Enter'] },
      { id: 'new_line', title: t('New line'), keys: ['Shift+Enter'] },
      { id: 'send', title: t('Send text and files'), keys: ['Mod+Enter'] },
    ] as const
  ).map((shortcut) => ({
    ...shortcut,
    section: t('Conversation'),
    needs: 'can_manage_messages' as const,
  })),
  { id: 'notes', title: t('Notes'), section: t('Conversation'), keys: ['n'] },
  { id: 'tags', title: t('Manage Tags'), section: t('Conversation'), keys: ['t'] },
  {
    id: 'escape',
    title: t('Close, stop replying, back to the list'),
    section: t('Conversation'),
    keys: ['Escape'],
  },
  {
    id: 'products.search',
    title: t('Search products'),
    section: t('Products'),
    keys: ['/'],
    needs: 'can_manage_admins',
  },
];

/** Commands that undo another one and share its shortcut, so they share a row. */
const OPPOSITES: Readonly<Record<string, string>> = {
  release: 'claim',
  unarchive: 'archive',
  unflag: 'flag',
};

/** Returns every shortcut this admin can use on any screen, and those of the registered commands. */
export function shortcutsFor(
  permissions: SignedInAdmin['permissions'],
  registered: readonly Command[],
): Shortcut[] {
  const known = KNOWN.filter(({ needs }) => needs === undefined || permissions[needs]);
  const ids = new Set(KNOWN.map(({ id }) => id));
  const others = registered.flatMap(({ id, title, section, keys = [] }) =>
    keys.length === 0 || ids.has(OPPOSITES[id] ?? id) ? [] : { id, title, section, keys },
  );
  return [...known, ...others];
}
