import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** Puts a proxy in front of a database. @returns the proxy, and the database's URL through it */
export async function proxiedDatabase(
  databaseUrl: string,
): Promise<{ proxy: TcpProxy; url: string }> {
  const url = new URL(databaseUrl);
  const folder = url.searchParams.get('host');
  const port = Number(url.port || 5432);
  const proxy = await startTcpProxy(
    folder === null ? { host: url.hostname, port } : { path: `${folder}/.s.PGSQL.${port}` },
  );
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  return { proxy, url: url.href };
}
