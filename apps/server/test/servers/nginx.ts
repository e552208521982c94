import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../free-port.ts';
import { until } from '../until.ts';

const NGINX = '/usr/sbin/nginx';
const SITE = new URL('../../../../deploy/nginx.conf', import.meta.url);

/** nginx with the site configuration that we ship, in front of a server. */
export interface Nginx {
  /** `https://localhost:…`. */
  readonly url: string;
  /** nginx's self-signed certificate (PEM), which clients must trust. */
  readonly certificate: string;
  accessLog(): Promise<string>;
  stop(): Promise<void>;
}

/** Returns why nginx is not available; null if it is. */
export const nginxMissing = (): string | null =>
  existsSync(NGINX)
    ? null
    : 'nginx is missing; on Debian: apt-get install --no-install-recommends nginx-light';

/**
 * Starts nginx with `deploy/nginx.conf`, in which only the ports, the name and the file paths are replaced.
 * @param port the port to listen on
 * @param serverUrls the processes behind it
 */
export async function startNginx(port: number, ...serverUrls: string[]): Promise<Nginx> {
  const root = await mkdtemp(path.join(tmpdir(), 'stagedoor-nginx-'));
  const [key, certificate] = [path.join(root, 'key.pem'), path.join(root, 'cert.pem')];
  execFileSync(
    'openssl',
    // prettier-ignore
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost',
      '-keyout',
      key,
      '-out',
      certificate,
    ],
    { stdio: 'ignore' },
  );
  const plainPort = await freePort();
  const site = replaceAll(await readFile(SITE, 'utf8'), [
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen [::]:80;', ''],
    [
      'listen 443 ssl http2;',
      `listen 127.0.0.1:${port} ssl http2; listen 127.0.0.2:${port} ssl http2;`,
    ],
    ['listen [::]:443 ssl http2;', ''],
    ['server_name inbox.example.com;', 'server_name localhost;'],
    ['/etc/letsencrypt/live/inbox.example.com/fullchain.pem', certificate],
    ['/etc/letsencrypt/live/inbox.example.com/privkey.pem', key],
    ['/var/log/nginx/stagedoor.log', path.join(root, 'access.log')],
    [
      'server 127.0.0.1:3000;',
      serverUrls.map((serverUrl) => `server ${new URL(serverUrl).host};`).join(' '),
    ],
    ['$host;', '$http_host;'],
  ]);
  await writeFile(path.join(root, 'site.conf'), site);
  await writeFile(path.join(root, 'nginx.conf'), mainConfig(root));
  const child = spawn(
    NGINX,
    ['-p', root, '-c', path.join(root, 'nginx.conf'), '-g', 'daemon off;'],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const stop = async () => {
    await end(child);
    await rm(root, { recursive: true, force: true });
  };
  await until('nginx listens', async () => {
    if (child.exitCode !== null) throw new Error(`nginx did not start:\n${said}`);
    return fetch(`http://127.0.0.1:${plainPort}/`, { redirect: 'manual' }).then(
      ({ status }) => status === 308,
      () => false,
    );
  }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    url: `https://localhost:${port}`,
    certificate: await readFile(certificate, 'utf8'),
    accessLog: () => readFile(path.join(root, 'access.log'), 'utf8'),
    stop,
  };
}

/** Replaces texts. Each must be present, so that the test covers the file that we ship. */
function replaceAll(text: string, pairs: readonly (readonly [string, string])[]): string {
  return pairs.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`deploy/nginx.conf lacks '${from}'`);
    return changed.replaceAll(from, to);
  }, text);
}

const mainConfig = (root: string) => `
worker_processes 1;
pid ${root}/pid;
error_log ${root}/error.log;
events { worker_connections 256; }
http {
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${root}/${of};`).join('\n  ')}
  include ${root}/site.conf;
}
`;

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}
