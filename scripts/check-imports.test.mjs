import { expect, test } from 'vitest';
import { wrongImports } from './check-imports.mjs';

const server = 'apps/server/src';
const web = 'apps/web/src';
const fan = 'apps/fan/src';

test.each([
  ['the contract may only import zod', 'packages/contract/src/fans/fans.ts', 'node:path'],
  [
    'the contract does not reach into the server',
    'packages/contract/src/fans/fans.ts',
    '../../../apps/server/src/errors.ts',
  ],
  ['the server does not reach into the web', `${server}/app.ts`, '../../web/src/lib/api.ts'],
  ['the web does not reach into the server', `${web}/lib/api.ts`, '../../../server/src/errors.ts'],
  [
    'the fan client does not reach into the web',
    `${fan}/lib/api.ts`,
    '../../../web/src/lib/api.ts',
  ],
  [
    'the web does not reach into the fan client',
    `${web}/lib/api.ts`,
    '../../../fan/src/lib/api.ts',
  ],
  [
    'the fan client does not reach into the server',
    `${fan}/lib/api.ts`,
    '../../../server/src/errors.ts',
  ],
  [
    "a fan feature does not use another's components",
    `${fan}/features/thread/row.tsx`,
    '../composer/composer.tsx',
  ],
  ['neither side imports the other as a package', `${web}/lib/api.ts`, '@stagedoor/server/errors'],
  ['the database does not know features', `${server}/db/database.ts`, '../fans/fans/fans.store.ts'],
  ['a feature does not know the app', `${server}/fans/fans/fans.store.ts`, '../../app.ts'],
  ['nothing imports main', `${server}/app.ts`, './main.ts'],
  [
    'a domain does not know those above it',
    `${server}/fans/fans/fans.store.ts`,
    '../../messaging/messages/messages.store.ts',
  ],
  [
    'a feature does not know those above it in its domain',
    `${server}/messaging/drafts/a.ts`,
    '../messages/messages.store.ts',
  ],
  ['a feature is in the list of its domain', `${server}/fans/new/a.ts`, '../fans/fans.store.ts'],
  [
    'the contract keeps to the order of the domains',
    'packages/contract/src/fans/fans.ts',
    '../messaging/messages.ts',
  ],
  ['code does not import test helpers', `${server}/app.ts`, '../test/database.ts'],
  [
    'the platform client imports no more than it needs',
    'packages/platform-client/src/client.ts',
    'zod/mini',
  ],
  [
    'features do not call the platform API',
    `${server}/fans/fans/a.ts`,
    '@stagedoor/platform-client',
  ],
  [
    'the sample data does not reach into the server',
    'packages/sample-data/src/fans.ts',
    '../../../apps/server/src/db/database.ts',
  ],
  ['the sample data uses no database', 'packages/sample-data/src/fans.ts', 'kysely'],
  ['the server loads sample data in one place', `${server}/app.ts`, '@stagedoor/sample-data/fans'],
  ['the web does not speak as the platform', `${web}/lib/api.ts`, '@stagedoor/platform-client'],
  ['ui does not know features', `${web}/ui/button.tsx`, '../inbox/list/queries.ts'],
  ['lib does not know ui', `${web}/lib/api.ts`, '../ui/button.tsx'],
  ['a web feature does not know the app', `${web}/inbox/list/row.tsx`, '../../app/app.tsx'],
  [
    "a web feature does not use another domain's components",
    `${web}/inbox/list/row.tsx`,
    '../../fans/notes/card.tsx',
  ],
])('%s', (_rule, file, specifier) => {
  for (const source of [
    `import { x } from '${specifier}';`,
    `import type { X } from '${specifier}';`,
    `import '${specifier}';`,
    `export * from '${specifier}';`,
    `export { x } from '${specifier}';`,
    `const x = await import('${specifier}');`,
  ]) {
    expect(wrongImports(file, source), source).toHaveLength(1);
  }
});

test.each([
  ['packages/contract/src/fans/fans.ts', 'zod/mini'],
  ['packages/contract/src/fans/fans.ts', './primitives.ts'],
  [`${server}/fans/fans/fans.routes.ts`, '@stagedoor/contract/fans/fans'],
  [
    `${server}/messaging/messages/messages.service.ts`,
    '../../inbox/conversations/conversations.store.ts',
  ],
  [`${server}/messaging/messages/messages.service.ts`, '../../db/database.ts'],
  [`${server}/messaging/messages/messages.test.ts`, '../../../test/database.ts'],
  [`${server}/messaging/messages/messages.test.ts`, '../../app.ts'],
  [`${server}/messaging/messaging.ts`, './messages/messages.service.ts'],
  [`${server}/main.ts`, './app.ts'],
  ['packages/sample-data/src/lively.ts', '@stagedoor/platform-client'],
  [`${server}/sample-data.ts`, '@stagedoor/sample-data/lively'],
  ['packages/platform-client/src/client.ts', '@stagedoor/contract/platform/platform'],
  [`${web}/inbox/list/row.tsx`, '../../fans/notes/queries.ts'],
  [`${web}/inbox/list/row.tsx`, '../../ui/button.tsx'],
  [`${web}/messaging/composer/composer.tsx`, '../messages/outbox.ts'],
  [`${web}/app/app.tsx`, '../inbox/list/row.tsx'],
  [`${fan}/features/thread/row.tsx`, '../composer/state.ts'],
  [`${fan}/app/app.tsx`, '../features/thread/thread.tsx'],
])('%s may import %s', (file, specifier) => {
  expect(wrongImports(file, `import { x } from '${specifier}';`)).toEqual([]);
});
