import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ROOT, run } from './lib/run.mjs';

const root = mkdtempSync(path.join(tmpdir(), 'stagedoor-build-'));
afterAll(() => rmSync(root, { recursive: true }));

test('the clients are built for production, whatever NODE_ENV is', async () => {
  for (const part of ['scripts', 'package-lock.json'])
    cpSync(path.join(ROOT, part), path.join(root, part), { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'));
  for (const folder of ['packages/platform-client', 'apps/server', 'apps/web', 'apps/fan']) {
    const place = path.join(root, folder);
    mkdirSync(place, { recursive: true });
    writeFileSync(path.join(place, 'index.html'), '<script type="module" src="main.js"></script>');
    writeFileSync(path.join(place, 'main.js'), 'console.log(process.env.NODE_ENV)');
  }

  const env = { ...process.env, NODE_ENV: 'development' };
  await run(process.execPath, [path.join(root, 'scripts/build.mjs')], { cwd: root, env });

  for (const client of ['web', 'fan']) {
    const assets = path.join(root, 'apps', client, 'dist/assets');
    const [script = ''] = await readdir(assets);
    expect(await readFile(path.join(assets, script), 'utf8')).toContain('production');
  }
});
