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
  it('what was used last comes first, then everything by its section', () => {
    const fan = buildConversation({ id: 'ana' });
    const recent = { commands: ['gone', 'archive'], fans: [fan] };
    expect(shown(browsed(COMMANDS, recent))).toEqual([
      ['Recent', 'ana', 'Archive'],
      ['Conversation', 'Archive', 'Send Product'],
      ['Pins', 'Pin'],
      ['Go to', 'Products'],
    ]);
  });

  it('a command that is listed twice is two options', () => {
    const groups = browsed(COMMANDS, { commands: ['archive'], fans: [] });
    const keys = groups.flatMap(({ options }) => options.map(({ key }) => key));
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('what is typed', () => {
  const hits = [{ ...buildConversation({ id: 'ana' }), match: null }];

  it('finds commands by their titles and their sections, the best first', () => {
    const fans = { hits: [], isSearching: false };
    expect(shown(found(COMMANDS, 'prod', fans))).toEqual([
      ['Commands', 'Products', 'Send Product'],
    ]);
    expect(shown(found(COMMANDS, 'go to', fans))).toEqual([['Commands', 'Products']]);
  });

  it('finds fans before commands that it hardly means', () => {
    expect(shown(found(COMMANDS, 'arv', { hits, isSearching: false }))).toEqual([
      ['Fans', 'ana'],
      ['More commands', 'Archive'],
    ]);
  });

  it('offers those only once it is known which fans there are', () => {
    expect(found(COMMANDS, 'arv', { hits: [], isSearching: true })).toEqual([]);
  });
});
