import { Suspense, useState } from 'react';
import { Navigate, Outlet, useNavigate } from 'react-router';
import { useCommands } from '../lib/commands.ts';
import { laterPart } from '../lib/later.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { errorText } from '../lib/server/api.ts';
import { useAdmin, useSession } from '../lib/server/session.ts';
import { t } from '../lib/text/i18n.ts';
import { useCurrentAdmin } from '../team/auth/queries.ts';
import { ErrorBox } from '../ui/error-box.tsx';
import { PageLoading } from '../ui/page-loading.tsx';
import type { KeysDialog } from './command-keys.tsx';
import { RealtimeProvider } from './live/realtime.tsx';
import { placeCommand } from './place-command.ts';

const LoginPage = lazyPart(async () => (await import('../team/auth/login-page.tsx')).LoginPage);

const CommandKeys = laterPart(async () => (await import('./command-keys.tsx')).CommandKeys);

/** Where a sign-in leads. */
const AFTER_SIGN_IN = '/inbox';

/** Lets only the signed in through, with live updates; everyone else signs in first. */
export function SignedInOnly() {
  const session = useSession();
  if (session.status === 'loading') return <SessionLoading />;
  if (session.status === 'signed_out') return <Navigate to="/login" replace />;
  // Another admin is another tree: nothing that one of them had on screen carries over.
  return (
    <RealtimeProvider key={session.admin.id}>
      <AdminRefresh />
      <Outlet />
      <Keys />
    </RealtimeProvider>
  );
}

/**
 * The keys that every screen has: the ways from page to page, which lead there at once, and what is shown as soon as its
 * code has come.
 */
function Keys() {
  const navigate = useNavigate();
  const { can_manage_admins: enabled } = useAdmin().permissions;
  const [asked, setAsked] = useState<KeysDialog | null>(null);
  const [isHere, setHere] = useState(false);
  const early = (id: KeysDialog, title: string, key: string) => ({
    id,
    title,
    section: t('General'),
    keys: [key],
    keysOnly: true,
    enabled: !isHere,
    run: () => setAsked(id),
  });
  useCommands([
    { ...placeCommand(navigate, t('Inbox'), '/inbox'), keys: ['g i'] },
    { ...placeCommand(navigate, t('Console'), '/console'), keys: ['g c'], enabled },
    { ...placeCommand(navigate, t('Products'), '/products'), keys: ['g p'], enabled },
    early('palette', t('Command palette'), 'Mod+k'),
    early('shortcuts', t('Keyboard shortcuts'), '?'),
  ]);
  return (
    <Suspense fallback={null}>
      <CommandKeys asked={asked} onHere={setHere} />
    </Suspense>
  );
}

/** The sign-in page, or the inbox for those who are signed in already. */
export function SignedOutOnly() {
  const session = useSession();
  if (session.status === 'loading') return <SessionLoading />;
  if (session.status === 'signed_in') return <Navigate to={AFTER_SIGN_IN} replace />;
  return (
    <Suspense fallback={<PageLoading />}>
      <LoginPage />
    </Suspense>
  );
}

function AdminRefresh() {
  useCurrentAdmin();
  return null;
}

/** There is a token, but nothing that tells whose: the server is asked. */
function SessionLoading() {
  const { error, isFetching, refetch } = useCurrentAdmin();
  if (error === null) return <PageLoading />;
  return (
    <main className="mx-auto flex h-full max-w-90 flex-col justify-center p-4">
      <ErrorBox
        text={errorText(error, t('Failed to load inbox'))}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    </main>
  );
}
