// `npm run dev`: runs the server and both clients from their sources, at one address. After a change, the clients update in place
// and the server restarts. Data is in .stagedoor/dev unless DATA_DIR is set. Doesn't write to any `dist`, which another running
// server may be serving.
import path from 'node:path';
import { prepare } from './lib/prepare.mjs';
import { fail, ROOT, run, runTool } from './lib/run.mjs';

const PORT = Number(process.env.PORT ?? 3000);
const [API_PORT, FAN_PORT] = [PORT + 1, PORT + 2];

const SERVER = path.join(ROOT, 'apps/server/.dev/main.js');

const ENV = {
  DATA_DIR: path.join(ROOT, '.stagedoor/dev'),
  PUBLIC_URL: `http://localhost:${PORT}`,
  ...process.env,
  HOST: '127.0.0.1',
  PORT: String(API_PORT),
  // The console's development server forwards all other requests to these.
  API_URL: `http://127.0.0.1:${API_PORT}`,
  FAN_URL: `http://127.0.0.1:${FAN_PORT}`,
};

const vite = (app, ...args) =>
  runTool('vite/bin/vite.js', [...args, '--logLevel', 'warn'], {
    live: true,
    env: ENV,
    cwd: path.join(ROOT, 'apps', app),
  });

const client = (app, port, host) =>
  vite(app, '--port', String(port), '--host', host, '--strictPort');

async function main() {
  await prepare({ missingOnly: true });
  const build = ['build', '--mode', 'development', '--outDir', '.dev'];
  await vite('server', ...build);
  const args = ['--watch', '--watch-preserve-output', '--enable-source-maps', SERVER];
  await Promise.all([
    vite('server', ...build, '--watch'),
    run(process.execPath, args, { live: true, env: ENV }),
    client('fan', FAN_PORT, '127.0.0.1'),
    client('web', PORT, 'localhost'),
  ]);
}

await main().catch(fail);
