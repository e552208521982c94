// `npm run dev`: the server and both clients from their sources, at one address. The clients take a change while they run; the server
// restarts. Data lies in .stagedoor/dev unless DATA_DIR is set, and no `dist` is written that a running server serves.
import path from 'node:path';
import { prepare } from './lib/prepare.mjs';
import { fail, ROOT, runTool } from './lib/run.mjs';

const PORT = Number(process.env.PORT ?? 3000);
const [API_PORT, FAN_PORT] = [PORT + 1, PORT + 2];

const ENV = {
  DATA_DIR: path.join(ROOT, '.stagedoor/dev'),
  PUBLIC_URL: `http://localhost:${PORT}`,
  ...process.env,
  HOST: '127.0.0.1',
  PORT: String(API_PORT),
  // Where the console's own server passes on what is not the console's.
  API_URL: `http://127.0.0.1:${API_PORT}`,
  FAN_URL: `http://127.0.0.1:${FAN_PORT}`,
};

function client(name, port, host) {
  const args = ['--port', String(port), '--host', host, '--strictPort', '--logLevel', 'warn'];
  const cwd = path.join(ROOT, 'apps', name);
  return runTool('vite/bin/vite.js', args, { live: true, env: ENV, cwd });
}

function server() {
  const args = ['watch', '--clear-screen=false', '--conditions=source', 'apps/server/src/main.ts'];
  return runTool('tsx/dist/cli.mjs', args, { live: true, env: ENV });
}

async function main() {
  await prepare({ missingOnly: true });
  await Promise.all([
    server(),
    client('fan', FAN_PORT, '127.0.0.1'),
    client('web', PORT, 'localhost'),
  ]);
}

await main().catch(fail);
