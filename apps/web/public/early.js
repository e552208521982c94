// What the inbox asks for first, asked while its scripts still load: src/lib/early.ts hands it over.
(() => {
  if (!/^\/((inbox|messages)(\/.*)?)?$/.test(location.pathname)) return;
  let token = null;
  try {
    token = localStorage.getItem('admin_token');
  } catch {
    // Storage is closed to this page: nobody is signed in.
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
    // Whoever takes it over hears of it, and asks again.
    reply.catch(() => undefined);
    return { path, token, reply };
  });
})();
