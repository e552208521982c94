import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { auditVerdict, lockMistakes, makeSbom, sbomMistakes } from './lib/supply-chain.mjs';

const read = (file) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
const lock = JSON.parse(read('package-lock.json'));

/** The lock file with one package changed. */
const withPackage = (entry, location = 'node_modules/fastify') => ({
  ...lock,
  packages: { ...lock.packages, [location]: { ...lock.packages[location], ...entry } },
});

test('the lock file names a hash for every package, and no source but the registry', () => {
  expect(lockMistakes(lock)).toEqual([]);
  expect(read('.npmrc')).not.toMatch(/registry/);
});

test.each([
  [{ integrity: undefined }, 'node_modules/fastify has no SHA-512'],
  [{ integrity: 'sha1-abc' }, 'node_modules/fastify has no SHA-512'],
  [{ resolved: 'https://evil.example/fastify.tgz' }, 'comes from https://evil.example'],
  [{ resolved: 'git+ssh://git@github.com/x/fastify.git#1' }, 'comes from git+ssh'],
  [{ resolved: 'https://registry.npmjs.org.evil.example/f.tgz' }, 'comes from'],
  [{ link: true, resolved: '../elsewhere' }, 'links to ../elsewhere'],
])('a package with %j in the lock file is refused', (entry, said) => {
  expect(lockMistakes(withPackage(entry))).toEqual([expect.stringContaining(said)]);
});

test.each(['^5.0.0', 'latest', 'github:x/fastify', '*'])(
  'a dependency of ours on %s is refused',
  (range) => {
    const changed = withPackage({ dependencies: { fastify: range } }, 'apps/server');
    expect(lockMistakes(changed)).toEqual([`apps/server asks for fastify ${range}`]);
  },
);

test('the bill of materials has every package with its version and its hash', async () => {
  const sbom = await makeSbom();
  expect(sbomMistakes(sbom, lock)).toEqual([]);
  const found = sbom.components.find(({ name }) => name === 'fastify');
  expect(found.version).toBe(lock.packages['node_modules/fastify'].version);
  const without = sbom.components.filter(({ name }) => name !== 'fastify');
  const mistakes = sbomMistakes({ ...sbom, components: without }, lock);
  expect(mistakes).toContainEqual(expect.stringMatching(/^fastify@.* is missing$/));
  const bare = sbom.components.map((component) => ({ ...component, hashes: [] }));
  expect(sbomMistakes({ ...sbom, components: bare }, lock).length).toBeGreaterThan(100);
});

test('a high vulnerability fails, none passes, and a missing answer is reported', () => {
  const report = (counts, vulnerabilities = {}) =>
    JSON.stringify({ vulnerabilities, metadata: { vulnerabilities: counts } });
  expect(auditVerdict(report({ low: 1, moderate: 2, high: 0, critical: 0 }))).toBe(
    'no high ones; 2 moderate, 1 low',
  );
  const bad = report({ high: 1 }, { x: { name: 'x', severity: 'high', range: '<2' } });
  expect(() => auditVerdict(bad)).toThrow('0 critical and 1 high');
  expect(auditVerdict('{"message":"405 Method Not Allowed"}')).toMatch(/^NOT CHECKED.*405/);
  expect(auditVerdict('')).toMatch(/^NOT CHECKED/);
});

const SYSTEMD = '/usr/bin/systemd-analyze';

test.skipIf(!existsSync(SYSTEMD)).each([
  ['stagedoor.service', 'stagedoor.service'],
  ['stagedoor@.service', 'stagedoor@3001.service'],
])('systemd accepts the service %s and rates it as well isolated', (file, name) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'stagedoor-unit-'));
  const unit = path.join(folder, name);
  // The service’s folder does not exist on this machine.
  writeFileSync(unit, read(`deploy/${file}`).replaceAll('=/srv/stagedoor\n', '=/tmp\n'));
  const said = execFileSync(SYSTEMD, ['verify', unit], { stdio: 'pipe' }).toString();
  expect(said).toBe('');
  const judged = execFileSync(SYSTEMD, ['security', '--offline=true', '--threshold=20', unit]);
  expect(judged.toString()).toMatch(/exposure level for stagedoor\S*: [01]\.\d/);
  rmSync(folder, { recursive: true });
});

test('the npm scripts that the image runs exist, and Compose builds that image', () => {
  const containerfile = read('deploy/Containerfile');
  const scripts = JSON.parse(read('package.json')).scripts;
  for (const [, script] of containerfile.matchAll(/npm run (\w+)/g))
    expect(scripts).toHaveProperty(script);
  expect(read('deploy/compose.yml')).toContain('dockerfile: deploy/Containerfile');
});
