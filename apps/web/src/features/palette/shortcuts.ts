import type { SignedInAdmin } from '@stagedoor/contract/auth';
import type { Permission } from '@stagedoor/contract/endpoint';
import type { Command } from '../../lib/commands.ts';

/** A line of the list of shortcuts. */
export interface Shortcut extends Pick<Command, 'id' | 'title' | 'section'> {
  keys: readonly string[];
}

interface KnownShortcut extends Shortcut {
  /** Without it, there is nothing that the keys do. */
  needs?: Permission;
}

/** All there are but those that only registered commands tell of: what other screens have, and what fields and lists do. */
const KNOWN: readonly KnownShortcut[] = [
  { id: 'palette', title: 'Command palette', section: 'General', keys: ['Mod+k'] },
  { id: 'shortcuts', title: 'Keyboard shortcuts', section: 'General', keys: ['?'] },
  { id: 'undo', title: 'Undo', section: 'General', keys: ['z'] },
  { id: 'search', title: 'Search conversations', section: 'Inbox', keys: ['/'] },
  { id: 'row.next', title: 'Move down', section: 'Inbox', keys: ['j', 'ArrowDown'] },
  { id: 'row.previous', title: 'Move up', section: 'Inbox', keys: ['k', 'ArrowUp'] },
  { id: 'row.ends', title: 'First and last', section: 'Inbox', keys: ['Home', 'End'] },
  { id: 'row.open', title: 'Open and reply', section: 'Inbox', keys: ['Enter'] },
  {
    id: 'conversation.next',
    title: 'Next conversation',
    section: 'Inbox',
    keys: ['Alt+ArrowDown'],
  },
  {
    id: 'conversation.previous',
    title: 'Previous conversation',
    section: 'Inbox',
    keys: ['Alt+ArrowUp'],
  },
  { id: 'unread', title: 'Unread', section: 'Show', keys: ['1'] },
  { id: 'mine', title: 'Mine', section: 'Show', keys: ['2'] },
  { id: 'all', title: 'All', section: 'Show', keys: ['3'] },
  { id: 'archived', title: 'Archived', section: 'Show', keys: ['4'] },
  ...(
    [
      { id: 'claim', title: 'Claim or release', keys: ['c'] },
      { id: 'archive', title: 'Archive or unarchive', keys: ['e'] },
      { id: 'flag', title: 'Flag or unflag', keys: ['!'] },
      { id: 'reply', title: 'Reply to the focused message', keys: ['r'] },
      { id: 'attach', title: 'Attach', keys: ['a'] },
      { id: 'send_product', title: 'Send Product', keys: ['p'] },
      { id: 'send_text', title: 'Send the text', keys: ['Enter'] },
      { id: 'new_line', title: 'New line', keys: ['Shift+Enter'] },
      { id: 'send', title: 'Send text and files', keys: ['Mod+Enter'] },
    ] as const
  ).map((shortcut) => ({
    ...shortcut,
    section: 'Conversation',
    needs: 'can_manage_messages' as const,
  })),
  { id: 'notes', title: 'Notes', section: 'Conversation', keys: ['n'] },
  { id: 'tags', title: 'Manage Tags', section: 'Conversation', keys: ['t'] },
  {
    id: 'escape',
    title: 'Close, stop replying, back to the list',
    section: 'Conversation',
    keys: ['Escape'],
  },
  {
    id: 'products.search',
    title: 'Search products',
    section: 'Products',
    keys: ['/'],
    needs: 'can_manage_admins',
  },
];

/** Keys by which one command is the opposite of another: they share a line. */
const OPPOSITES: Readonly<Record<string, string>> = {
  release: 'claim',
  unarchive: 'archive',
  unflag: 'flag',
};

/** Every shortcut that this admin has on some screen, with those that screens now offer beside them. */
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
