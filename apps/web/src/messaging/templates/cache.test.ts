import type { Template } from '@stagedoor/contract/messaging/templates';
import { expect, it } from 'vitest';
import { byFolder, searchTemplates, withTemplate } from './cache.ts';

const template = (id: string, part: Partial<Template> = {}): Template => ({
  id,
  name: id,
  content: '',
  folder: '',
  is_shared: true,
  product: null,
  attachments: [],
  uses: 0,
  maker: { id: 'a', codename: 'Kiwi', display_color: '#000000' },
  version: 1,
  updated_at: '2026-01-01T00:00:00.000Z',
  ...part,
});
const ids = (templates: readonly Template[]) => templates.map(({ id }) => id);

it('searches names, folders, texts and products for every word, and ranks matches in the name first', () => {
  const all = [
    template('Bye', { content: 'Hello and goodbye' }),
    template('Say hello'),
    template('Hello'),
    template('Offer', { product: { id: 'p', title: 'Hello set', price: 1, is_active: true } }),
    template('Other', { folder: 'Hello folder' }),
  ];
  expect(ids(searchTemplates(all, 'hello'))).toEqual([
    'Hello',
    'Say hello',
    'Bye',
    'Offer',
    'Other',
  ]);
  expect(ids(searchTemplates(all, ' GOOD hello '))).toEqual(['Bye']);
  expect(ids(searchTemplates(all, ''))).toEqual(ids(all));
});

it('groups templates by folder, starting with those in no folder, and keeps their order', () => {
  const all = [
    template('1', { folder: 'B' }),
    template('2'),
    template('3', { folder: 'A' }),
    template('4', { folder: 'B' }),
  ];
  expect(byFolder(all).map((group) => [group.folder, ids(group.templates)])).toEqual([
    ['', ['2']],
    ['A', ['3']],
    ['B', ['1', '4']],
  ]);
});

it('shows a saved template in its place, or at the end when it is new', () => {
  const all = [template('1'), template('2')];
  expect(withTemplate(all, template('1', { name: 'One' })).map(({ name }) => name)).toEqual([
    'One',
    '2',
  ]);
  expect(ids(withTemplate(all, template('3')))).toEqual(['1', '2', '3']);
});
