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

/** Shortcuts of other screens, fields and lists. The shortcuts of registered commands are added to these. */
const KNOWN: readonly KnownShortcut[] = [
  { id: 'palette', title: t('Command Palette'), section: t('General'), keys: ['Mod+k'] },
  { id: 'shortcuts', title: t('Keyboard Shortcuts'), section: t('General'), keys: ['?'] },
  { id: 'undo', title: t('Undo'), section: t('General'), keys: ['z'] },
  { id: 'search', title: t('Search Conversations'), section: t('Inbox'), keys: ['/'] },
  {
    id: 'search-messages',
    title: t('Search All Messages'),
    section: t('Inbox'),
    keys: ['Mod+Shift+f'],
  },
  {
    id: 'next',
    title: t('Answer Next Fan'),
    section: t('Inbox'),
    keys: ['x'],
    needs: 'can_manage_messages',
  },
  { id: 'row.next', title: t('Move Down'), section: t('Inbox'), keys: ['j', 'ArrowDown'] },
  { id: 'row.previous', title: t('Move Up'), section: t('Inbox'), keys: ['k', 'ArrowUp'] },
  { id: 'row.ends', title: t('First and last'), section: t('Inbox'), keys: ['Home', 'End'] },
  { id: 'row.open', title: t('Open and Reply'), section: t('Inbox'), keys: ['Enter'] },
  {
    id: 'conversation.next',
    title: t('Next Conversation'),
    section: t('Inbox'),
    keys: ['Alt+ArrowDown'],
  },
  {
    id: 'conversation.previous',
    title: t('Previous Conversation'),
    section: t('Inbox'),
    keys: ['Alt+ArrowUp'],
  },
  { id: 'unread', title: t('Unread', 'conversations'), section: t('Show'), keys: ['1'] },
  { id: 'mine', title: t('Mine', 'conversations'), section: t('Show'), keys: ['2'] },
  { id: 'all', title: t('All', 'conversations'), section: t('Show'), keys: ['3'] },
  { id: 'archived', title: t('Archived', 'conversations'), section: t('Show'), keys: ['4'] },
  ...(
    [
      { id: 'claim', title: t('Claim or Release'), keys: ['c'] },
      { id: 'archive', title: t('Archive or Unarchive'), keys: ['e'] },
      { id: 'flag', title: t('Flag or Unflag'), keys: ['!'] },
      { id: 'snooze', title: t('Snooze'), keys: ['s'] },
      { id: 'mark-unread', title: t('Mark Unread'), keys: ['u'] },
      { id: 'reply', title: t('Reply to Focused Message'), keys: ['r'] },
      { id: 'attach', title: t('Attach'), keys: ['a'] },
      { id: 'send_product', title: t('Send Product'), keys: ['p'] },
      { id: 'send_text', title: t('Send Text Only'), keys: ['Enter'] },
      { id: 'new_line', title: t('New Line'), keys: ['Shift+Enter'] },
      { id: 'send', title: t('Send Text and Files'), keys: ['Mod+Enter'] },
    ] as const
  ).map((shortcut) => ({
    ...shortcut,
    section: t('Conversation'),
    needs: 'can_manage_messages' as const,
  })),
  { id: 'notes', title: t('Notes'), section: t('Conversation'), keys: ['n'] },
  {
    id: 'write_note',
    title: t('Write Staff Note'),
    section: t('Conversation'),
    keys: ['m'],
  },
  { id: 'tags', title: t('Manage Tags'), section: t('Conversation'), keys: ['t'] },
  {
    id: 'escape',
    title: t('Close, Cancel Reply or Go Back'),
    section: t('Conversation'),
    keys: ['Escape'],
  },
  { id: 'print_pay_slip', title: t('Print'), section: t('Team'), keys: ['Mod+p'] },
  {
    id: 'products.search',
    title: t('Search Products'),
    section: t('Products'),
    keys: ['/'],
    needs: 'can_manage_admins',
  },
];

/** Maps a command to the command that it undoes. Both have the same shortcut and share a row of the list. */
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
