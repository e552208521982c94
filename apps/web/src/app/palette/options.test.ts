import { describe, expect, it } from 'vitest';
import type { Command } from '../../lib/commands.ts';
import { buildConversation } from '../../testing/build-conversation.ts';
import { browsed, found, type Group } from './options.ts';

const command = (id: string, section: string, title = id): Command => ({
  id,
  title,
  section,
  run: () => undefined,
});

const COMMANDS = [
  command('go.products', 'Go to', 'Products'),
  command('pin', 'Pins', 'Pin'),
  command('archive', 'Conversation', 'Archive'),
  command('send_product', 'Conversation', 'Send Product'),
];

const shown = (groups: readonly Group[]) =>
  groups.map(({ title, options }) => [
    title,
    ...options.map((option) =>
      option.kind === 'command' ? option.command.title : option.conversation.id,
    ),
  ]);

describe('before anything is typed', () => {
  it('recently used items come first, then all commands by section', () => {
    const fan = buildConversation({ id: 'ana' });
    const recent = { commands: ['gone', 'archive'], fans: [fan] };
    expect(shown(browsed(COMMANDS, recent))).toEqual([
      ['Recent', 'ana', 'Archive'],
      ['Conversation', 'Archive', 'Send Product'],
      ['Pins', 'Pin'],
      ['Go to', 'Products'],
    ]);
  });

  it('a command listed twice gives two options', () => {
    const groups = browsed(COMMANDS, { commands: ['archive'], fans: [] });
    const keys = groups.flatMap(({ options }) => options.map(({ key }) => key));
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('typed text', () => {
  const hits = [{ ...buildConversation({ id: 'ana' }), match: null }];

  it('matches commands by title and section, the best match first', () => {
    const fans = { hits: [], isSearching: false };
    expect(shown(found(COMMANDS, 'prod', fans))).toEqual([
      ['Commands', 'Products', 'Send Product'],
    ]);
    expect(shown(found(COMMANDS, 'go to', fans))).toEqual([['Commands', 'Products']]);
  });

  it('matches fans before commands that match only loosely', () => {
    expect(shown(found(COMMANDS, 'arv', { hits, isSearching: false }))).toEqual([
      ['Fans', 'ana'],
      ['More commands', 'Archive'],
    ]);
  });

  it('gives loosely matching commands only once the fans are known', () => {
    expect(found(COMMANDS, 'arv', { hits: [], isSearching: true })).toEqual([]);
  });
});
