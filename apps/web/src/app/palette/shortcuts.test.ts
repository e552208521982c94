import { describe, expect, it } from 'vitest';
import type { Command } from '../../lib/commands.ts';
import { shortcutsFor } from './shortcuts.ts';

const everything = { can_manage_admins: true, can_manage_messages: true };

const command = (id: string, keys: readonly string[] = []): Command => ({
  id,
  title: id,
  section: 'Pins',
  keys,
  run: () => undefined,
});

const titles = (permissions = everything, registered: readonly Command[] = []) =>
  shortcutsFor(permissions, registered).map(({ title }) => title);

describe('the list of shortcuts', () => {
  it('includes shortcuts of other screens', () => {
    expect(titles()).toEqual(
      expect.arrayContaining([
        'Search Products',
        'Claim or Release',
        'Snooze',
        'Mark Unread',
        'Write Staff Note',
        'Answer Next Fan',
        'Search All Messages',
      ]),
    );
  });

  it('leaves out shortcuts without permission', () => {
    const mine = titles({ can_manage_admins: false, can_manage_messages: false });
    expect(mine).not.toContain('Search Products');
    expect(mine).not.toContain('Claim or Release');
    expect(mine).not.toContain('Snooze');
    expect(mine).toContain('Manage Tags');
  });

  it('adds registered commands that have shortcuts', () => {
    const shown = titles(everything, [command('pin', ['i']), command('invite')]);
    expect(shown).toContain('pin');
    expect(shown).not.toContain('invite');
  });

  it('has one row for a command and its opposite', () => {
    expect(titles(everything, [command('release', ['c'])])).not.toContain('release');
  });
});
