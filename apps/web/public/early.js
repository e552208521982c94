// Sends the inbox's first requests while its scripts load. src/lib/server/early.ts takes the responses.
(() => {
  if (!/^\/((inbox|messages)(\/.*)?)?$/.test(location.pathname)) return;
  let token = null;
  try {
    token = localStorage.getItem('admin_token');
  } catch {
    // Storage is blocked: nobody is signed in.
  }
  if (!token) return;
  const tz = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
  const paths = [
    '/api/messages/admin/inbox?limit=20&filter=unread&sort=unread_first',
    `/api/messages/admin/stats?${new URLSearchParams({ tz })}`,
  ];
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
  window.stagedoorEarly = paths.map((path) => {
    const reply = fetch(path, { headers, signal: AbortSignal.timeout(20_000) });
    // The caller handles the error and sends the request again.
    reply.catch(() => undefined);
    return { path, token, reply };
  });
})();
