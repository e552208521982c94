// Checks the direction of imports between packages, layers, domains and features. The linter finds cycles.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync } from 'oxc-parser';
import { ROOT } from './lib/run.mjs';

/** The domains, lowest first: each may import those before it. The contract, the server and the console are divided into them. */
const DOMAINS = ['team', 'fans', 'inbox', 'selling', 'messaging', 'platform'];

/** The features of each domain, lowest first: each may import those before it. */
const FEATURES = {
  contract: {},
  server: {
    team: 'settings audit admins shifts auth creator notifications passkeys',
    fans: 'fans tags statements fan-facts subscriptions fan-sessions invites',
    inbox: 'conversations message-search presence views queue',
    selling: 'products tips purchases analytics payments segments campaigns earnings',
    messaging: 'drafts guard-rails staff-notes handovers messages templates scheduled retention',
    platform: 'platform-keys webhooks platform-api fan-app',
  },
  web: {
    team: 'auth sessions settings passkeys admins shifts creator audit notifications',
    fans: 'tags notes fan-facts statements subscriptions invites',
    inbox: 'list queue views presence message-search',
    selling: 'charts products analytics segments earnings campaigns',
    messaging:
      'staff-notes guard-rails handovers scheduled templates attachments messages bubble thread composer conversation',
    platform: 'keys webhooks console',
  },
};

/** The only modules of another domain that a feature of the console may import. */
const WEB_SHARED = /^(queries|cache)\.tsx?$/;
/** The only modules of another feature that a feature of the fan client may import. */
const FAN_SHARED = /^state\.tsx?$/;

/** The platform client's dependencies. Others install it, so it stays small. */
const CLIENT_MAY_IMPORT = /^(node:|@stagedoor\/contract\/|standardwebhooks$)/;

/** The library that both browser clients share. It imports neither client. */
const BROWSER_LIBRARY = /^@stagedoor\/browser\//;
const BROWSER_MAY_IMPORT = /^(@stagedoor\/contract\/|@lingui\/|react$|vite$|node:)/;

/** The sample data may import only this. It uses the platform API as a platform does; the server passes in everything else. */
const SAMPLE_DATA_MAY_IMPORT = /^(node:|@stagedoor\/(contract\/|platform-client$)|sharp$)/;
/** The only server file that imports the sample data. It does so lazily, so that a production installation runs without it. */
const USES_SAMPLE_DATA = 'apps/server/src/sample-data.ts';

/** The layers of each app, lowest first; a file may import its own layer and lower ones. */
const LAYERS = ['foundation', 'features', 'app', 'main'];

/**
 * Lists the imports of one file that point in the wrong direction.
 * @param {string} file its path below the repository's root, with forward slashes
 * @param {string} source
 * @returns {string[]} one line per import
 */
export function wrongImports(file, source) {
  return importsOf(file, source)
    .map((specifier) => {
      const reason = objection(file, specifier);
      return reason && `${file}: imports ${specifier}, but ${reason}`;
    })
    .filter((line) => typeof line === 'string');
}

function importsOf(file, source) {
  const { module } = parseSync(file, source);
  const fixed = [
    ...module.staticImports.map((statement) => statement.moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.map((entry) => entry.moduleRequest?.value),
    ),
  ];
  const dynamic = module.dynamicImports.map(({ moduleRequest: { start, end } }) =>
    source.slice(start, end).replace(/^['"`]|['"`]$/g, ''),
  );
  return [...new Set([...fixed, ...dynamic])].filter((specifier) => specifier !== undefined);
}

/** Explains why an import is not allowed. @returns {string | null} null if it is allowed */
function objection(file, specifier) {
  const from = sideOf(file);
  if (!specifier.startsWith('.')) return packageObjection(from, file, specifier);
  const target = path.posix.join(path.posix.dirname(file), specifier);
  const to = sideOf(target);
  if (from !== to) {
    return to === 'other' && isTest(file) ? null : `the ${from} must not import from the ${to}`;
  }
  if (from === 'contract') return domainObjection(from, file, target);
  if (!['server', 'web', 'fan'].includes(from)) return null;
  return (
    layerObjection(from, file, target) ??
    (from === 'fan' ? fanObjection(file, target) : domainObjection(from, file, target)) ??
    testObjection(file, target)
  );
}

function sideOf(file) {
  if (file.startsWith('packages/contract/')) return 'contract';
  if (file.startsWith('packages/platform-client/')) return 'platform client';
  if (file.startsWith('packages/browser/')) return 'browser library';
  if (file.startsWith('packages/sample-data/')) return 'sample data';
  return /^apps\/(server|web|fan)\//.exec(file)?.[1] ?? 'other';
}

function packageObjection(side, file, specifier) {
  if (side === 'contract' && !isTest(file) && !/^zod(\/|$)/.test(specifier)) {
    return 'the contract may only import zod';
  }
  if (side === 'platform client' && !isTest(file) && !CLIENT_MAY_IMPORT.test(specifier)) {
    return 'the platform client may only import the contract and the webhooks library';
  }
  if (side === 'browser library' && !isTest(file) && !BROWSER_MAY_IMPORT.test(specifier)) {
    return 'the browser library may only import the contract, React and Lingui';
  }
  if (side === 'sample data') {
    return SAMPLE_DATA_MAY_IMPORT.test(specifier)
      ? null
      : 'the sample data may only import the contract, the platform client and sharp';
  }
  if (specifier.startsWith('@stagedoor/sample-data/')) {
    return file === USES_SAMPLE_DATA ? null : `only ${USES_SAMPLE_DATA} may import sample data`;
  }
  if (BROWSER_LIBRARY.test(specifier)) {
    return side === 'web' || side === 'fan' ? null : 'only browser clients may import it';
  }
  if (/^@stagedoor\/platform-client(\/|$)/.test(specifier)) {
    return isTest(file) ? null : 'only code that acts as the platform may import its client';
  }
  if (/^@stagedoor\/(?!contract\/)/.test(specifier))
    return 'only the contract may be imported as a package';
  return null;
}

function layerOf(side, file) {
  const inside = file.slice(`apps/${side}/src/`.length);
  if (inside.startsWith('features/') || roomOf(file)) return 'features';
  if (/^main\.tsx?$/.test(inside)) return 'main';
  if (side !== 'server') return inside.startsWith('app/') ? 'app' : 'foundation';
  // Like the application, backups use all domains.
  if (inside.startsWith('backup/')) return 'app';
  const isFoundation =
    inside.includes('/') ||
    /^(config|domain|errors|log|misspelling|setting-values|texts)\.ts$/.test(inside);
  return isFoundation ? 'foundation' : 'app';
}

function layerObjection(side, file, target) {
  // Tests start the whole application, so they may import every layer.
  if (isTest(file) || !file.startsWith(`apps/${side}/src/`)) return null;
  const [own, other] = [layerOf(side, file), layerOf(side, target)];
  if (side !== 'server' && own === 'foundation') {
    const [from, to] = [file, target].map((one) => one.split('/')[3]);
    if (from === 'lib' && to === 'ui') return 'lib is below ui';
  }
  return LAYERS.indexOf(other) > LAYERS.indexOf(own) ? `${own} is below ${other}` : null;
}

function fanObjection(file, target) {
  const [own, other] = [file, target].map(
    (one) => /^apps\/fan\/src\/features\/([^/]+)/.exec(one)?.[1],
  );
  if (!own || !other || own === other || FAN_SHARED.test(path.posix.basename(target))) return null;
  return 'only the state of another feature may be imported';
}

/** Returns a file's domain and feature. @returns {{ domain: string, feature: string } | null} null outside the domains */
function roomOf(file) {
  const [, domain, feature] = /\/src\/([^/]+)\/([^/]+)/.exec(file) ?? [];
  return DOMAINS.includes(domain) ? { domain, feature } : null;
}

function domainObjection(side, file, target) {
  const [own, other] = [roomOf(file), roomOf(target)];
  if (!own || !other || isTest(file)) return null;
  if (own.domain !== other.domain) {
    if (DOMAINS.indexOf(own.domain) < DOMAINS.indexOf(other.domain))
      return `${own.domain} is below ${other.domain}`;
    return side === 'web' && !WEB_SHARED.test(path.posix.basename(target))
      ? 'only queries and cache of another domain may be imported'
      : null;
  }
  const features = FEATURES[side][own.domain]?.split(' ');
  if (!features || own.feature === other.feature) return null;
  // A file directly in a domain's folder wires the features, so it may import all of them.
  if (own.feature.endsWith('.ts')) return null;
  for (const { feature } of [own, other])
    if (!features.includes(feature)) return `${feature} is not in the list of ${own.domain}`;
  return features.indexOf(own.feature) < features.indexOf(other.feature)
    ? `${own.feature} is below ${other.feature}`
    : null;
}

function testObjection(file, target) {
  const helper = isTest(target);
  return helper && !isTest(file) ? 'it is test code' : null;
}

function isTest(file) {
  return /\.test\.tsx?$|^apps\/server\/test\/|^apps\/web\/src\/testing\//.test(file);
}

function main() {
  const files = [
    'packages/contract/src',
    'packages/platform-client/src',
    'packages/sample-data/src',
    'packages/browser/src',
    'packages/browser/vite',
    'apps/server/src',
    'apps/server/test',
    'apps/web/src',
    'apps/fan/src',
  ]
    .flatMap((folder) =>
      readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true }).map((entry) =>
        path.relative(ROOT, path.join(entry.parentPath ?? entry.path, entry.name)),
      ),
    )
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => file.split(path.sep).join('/'));
  const lines = files.flatMap((file) =>
    wrongImports(file, readFileSync(path.join(ROOT, file), 'utf8')),
  );
  for (const line of lines) console.error(line);
  if (lines.length > 0) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
