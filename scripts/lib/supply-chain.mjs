import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT, run, ToolError } from './run.mjs';

/** The only registry that packages may come from. */
const REGISTRY = 'https://registry.npmjs.org/';

/**
 * Lists packages of a lock file that have no exact version or hash, or don't come from the registry.
 * @param {{ lockfileVersion?: number, packages?: Record<string, any> }} lock
 * @returns {string[]} a line for each mistake
 */
export function lockMistakes(lock) {
  const mistakes = lock.lockfileVersion === 3 ? [] : ['the lock file is not version 3'];
  const entries = Object.entries(lock.packages ?? {});
  for (const [location, entry] of entries) {
    if (!location.includes('node_modules/')) {
      mistakes.push(...unpinned(location, entry));
      continue;
    }
    if (entry.link) {
      if (!/^(apps|packages|bench|e2e)/.test(entry.resolved ?? '')) {
        mistakes.push(`${location} links to ${entry.resolved}`);
      }
      continue;
    }
    if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(entry.integrity ?? '')) {
      mistakes.push(`${location} has no SHA-512`);
    }
    // A package without `resolved` comes from the registry.
    if (entry.resolved !== undefined && !entry.resolved.startsWith(REGISTRY)) {
      mistakes.push(`${location} comes from ${entry.resolved}`);
    }
  }
  if (entries.length === 0) mistakes.push('the lock file names no package');
  return mistakes;
}

/** Lists dependencies in one of our package files that aren't exact versions, such as ranges and URLs. */
function unpinned(location, entry) {
  const asked = { ...entry.dependencies, ...entry.devDependencies, ...entry.optionalDependencies };
  return Object.entries(asked)
    .filter(([, range]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(range))
    .map(([name, range]) => `${location || 'package.json'} asks for ${name} ${range}`);
}

/** Checks the lock file. @throws {ToolError} unless it is complete and matches the package files */
export async function checkLock() {
  const mistakes = lockMistakes(readLock());
  if (mistakes.length > 0)
    throw new ToolError('The lock file can’t be trusted', mistakes.join('\n'));
  await run('npm', ['ci', '--dry-run', '--ignore-scripts', '--no-audit', '--no-fund']);
}

const readLock = () => JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'));

/**
 * Builds the CycloneDX bill of materials: every installed package.
 * @returns {Promise<object>}
 * @throws {ToolError} if it is incomplete
 */
export async function makeSbom() {
  const output = await run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--loglevel=error']);
  const sbom = JSON.parse(output.slice(output.indexOf('{')));
  const mistakes = sbomMistakes(sbom, readLock());
  if (mistakes.length > 0)
    throw new ToolError('The bill of materials is incomplete', mistakes.join('\n'));
  return sbom;
}

/**
 * @param {any} sbom @param {{ packages?: Record<string, any> }} lock
 * @returns {string[]} a line for each mistake
 */
export function sbomMistakes(sbom, lock) {
  const mistakes = [];
  if (sbom.bomFormat !== 'CycloneDX' || !/^1\.[4-9]$/.test(sbom.specVersion)) {
    mistakes.push('it is not a CycloneDX file');
  }
  const components = sbom.components ?? [];
  const refs = new Set([
    sbom.metadata?.component?.['bom-ref'],
    ...components.map((c) => c['bom-ref']),
  ]);
  for (const { name, version, purl, hashes = [], properties = [], ...component } of components) {
    if (!name || !version) mistakes.push(`a component has no name or version: ${purl}`);
    const own = String(component['bom-ref']).startsWith('@stagedoor/');
    if (!own && !purl?.startsWith('pkg:npm/')) mistakes.push(`${name} has no package URL`);
    const bundled = properties.some((property) => property.name === 'cdx:npm:package:bundled');
    if (!own && !bundled && !hashes.some((hash) => /^[0-9a-f]{128}$/.test(hash.content))) {
      mistakes.push(`${name}@${version} has no hash`);
    }
  }
  for (const { ref, dependsOn = [] } of sbom.dependencies ?? []) {
    for (const of of [ref, ...dependsOn])
      if (!refs.has(of)) mistakes.push(`${of} is referenced but missing`);
  }
  for (const name of missing(components, lock)) mistakes.push(`${name} is missing`);
  return mistakes;
}

/** Lists packages that the lock file installs everywhere but the bill of materials lacks. */
function missing(components, lock) {
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`));
  return Object.entries(lock.packages ?? {})
    .filter(([key, entry]) => key.includes('node_modules/') && !entry.link)
    .filter(([, entry]) => !entry.optional && !entry.peer && !entry.devOptional)
    .map(([key, entry]) => `${entry.name ?? key.split('node_modules/').at(-1)}@${entry.version}`)
    .filter((name) => !listed.has(name));
}

/**
 * Asks the registry for known vulnerabilities of the installed packages.
 * @returns {Promise<string>} a summary; says so if the registry does not support the query
 * @throws {ToolError} for a high or critical vulnerability
 */
export async function audit() {
  let output;
  try {
    output = await run('npm', ['audit', '--json', '--audit=true', '--loglevel=error']);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    // npm exits with 1 for any finding, and also if the registry doesn't answer.
    output = error.output;
  }
  return auditVerdict(output);
}

/** @param {string} output what `npm audit --json` printed */
export function auditVerdict(output) {
  let report;
  try {
    report = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1));
  } catch {
    return 'NOT CHECKED: npm audit gave no readable response';
  }
  const counts = report.metadata?.vulnerabilities;
  if (counts === undefined) {
    const why = report.message ?? report.error?.summary ?? 'no answer';
    return `NOT CHECKED: the registry did not respond to npm audit (${String(why).split('\n')[0]})`;
  }
  const { high = 0, critical = 0, moderate = 0, low = 0 } = counts;
  if (high + critical > 0) {
    const names = Object.values(report.vulnerabilities ?? {})
      .filter(({ severity }) => severity === 'high' || severity === 'critical')
      .map(({ name, severity, range }) => `${severity}: ${name} ${range ?? ''}`.trim());
    throw new ToolError(`${critical} critical and ${high} high vulnerabilities`, names.join('\n'));
  }
  return `no high ones; ${moderate} moderate, ${low} low`;
}
