import { expect, test } from 'vitest';
import { wrongImports } from './check-imports.mjs';

const server = 'apps/server/src';
const web = 'apps/web/src';
const fan = 'apps/fan/src';

test.each([
  ['the contract imports zod only', 'packages/contract/src/fans.ts', 'node:path'],
  [
    'the contract does not reach into the server',
    'packages/contract/src/fans.ts',
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
  [
    'the database does not know features',
    `${server}/db/database.ts`,
    '../features/fans/fans.store.ts',
  ],
  ['a feature does not know the app', `${server}/features/fans/fans.store.ts`, '../../app.ts'],
  ['nothing imports main', `${server}/app.ts`, './main.ts'],
  [
    'fans do not know messages',
    `${server}/features/fans/fans.store.ts`,
    '../messages/messages.store.ts',
  ],
  [
    'conversations do not know messages',
    `${server}/features/conversations/a.ts`,
    '../messages/messages.store.ts',
  ],
  ['code does not import test helpers', `${server}/app.ts`, '../test/database.ts'],
  [
    'the platform client imports no more than it needs',
    'packages/platform-client/src/client.ts',
    'zod/mini',
  ],
  [
    'features do not call the platform API',
    `${server}/features/fans/a.ts`,
    '@stagedoor/platform-client',
  ],
  ['the web does not speak as the platform', `${web}/lib/api.ts`, '@stagedoor/platform-client'],
  ['ui does not know features', `${web}/ui/button.tsx`, '../features/inbox/queries.ts'],
  ['lib does not know ui', `${web}/lib/api.ts`, '../ui/button.tsx'],
  ['a web feature does not know the app', `${web}/features/inbox/row.tsx`, '../../app/app.tsx'],
  [
    "a web feature does not use another's components",
    `${web}/features/inbox/row.tsx`,
    '../fans/card.tsx',
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
  ['packages/contract/src/fans.ts', 'zod/mini'],
  ['packages/contract/src/fans.ts', './primitives.ts'],
  [`${server}/features/fans/fans.routes.ts`, '@stagedoor/contract/fans'],
  [`${server}/features/messages/messages.service.ts`, '../conversations/conversations.store.ts'],
  [`${server}/features/messages/messages.service.ts`, '../../db/database.ts'],
  [`${server}/features/messages/messages.test.ts`, '../../../test/database.ts'],
  [`${server}/features/messages/messages.test.ts`, '../../app.ts'],
  [`${server}/main.ts`, './app.ts'],
  [`${server}/sample/lively.ts`, '@stagedoor/platform-client'],
  ['packages/platform-client/src/client.ts', '@stagedoor/contract/platform'],
  [`${web}/features/inbox/row.tsx`, '../fans/queries.ts'],
  [`${web}/features/inbox/row.tsx`, '../../ui/button.tsx'],
  [`${web}/app/app.tsx`, '../features/inbox/row.tsx'],
  [`${fan}/features/thread/row.tsx`, '../composer/state.ts'],
  [`${fan}/app/app.tsx`, '../features/thread/thread.tsx'],
])('%s may import %s', (file, specifier) => {
  expect(wrongImports(file, `import { x } from '${specifier}';`)).toEqual([]);
});
