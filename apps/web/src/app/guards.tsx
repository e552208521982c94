import { lazyPart } from '@stagedoor/browser/lazy-part';
import { Suspense, useState } from 'react';
import { Navigate, Outlet, useMatch, useNavigate } from 'react-router';
import { useCommands } from '../lib/commands.ts';
import { lazyAfterFirstPaint } from '../lib/lazy-loads.ts';
import { useIsSplit } from '../lib/media-query.ts';
import { errorText } from '../lib/server/api.ts';
import { useAdmin, useSession } from '../lib/server/session.ts';
import { t } from '../lib/text/i18n.ts';
import { useCurrentAdmin } from '../team/auth/queries.ts';
import { ErrorBox } from '../ui/error-box.tsx';
import { PageLoading } from '../ui/page-loading.tsx';
import type { KeysDialog } from './command-keys.tsx';
import { RealtimeProvider } from './live/realtime.tsx';
import { pageCommand } from './page-command.ts';

const LoginPage = lazyPart(async () => (await import('../team/auth/login-page.tsx')).LoginPage);

const CommandKeys = lazyAfterFirstPaint(
  async () => (await import('./command-keys.tsx')).CommandKeys,
);

const ShiftBars = lazyAfterFirstPaint(
  async () => (await import('../team/shifts/shift-bars.tsx')).ShiftBars,
);

const BottomBar = lazyAfterFirstPaint(async () => (await import('./bottom-bar.tsx')).BottomBar);

/** The page shown after signing in. */
const AFTER_SIGN_IN = '/inbox';

/** Shows its routes, with live updates, to signed-in admins only. Everyone else is sent to the sign-in page. */
export function SignedInOnly() {
  const session = useSession();
  if (session.status === 'loading') return <SessionLoading />;
  if (session.status === 'signed_out') return <Navigate to="/login" replace />;
  // The key remounts everything for another admin, so that no state carries over.
  return (
    <RealtimeProvider key={session.admin.id}>
      <AdminRefresh />
      <div className="flex h-full flex-col">
        <ShiftBars />
        <div className="min-h-0 flex-1">
          <Outlet />
        </div>
        <PhoneNavigation />
      </div>
      <Keys />
    </RealtimeProvider>
  );
}

/** The bottom bar, shown if the window is too narrow for a split view. Hidden in a conversation, which needs the room. */
function PhoneNavigation() {
  const isSplit = useIsSplit();
  const isConversation = useMatch('/messages/:id') !== null;
  if (isSplit) return null;
  return (
    <div
      hidden={isConversation}
      className="h-[calc(57px+env(safe-area-inset-bottom))] shrink-0 border-t border-line bg-surface"
    >
      <BottomBar />
    </div>
  );
}

/**
 * The shortcuts of every screen. Navigation works at once; the palette and the shortcut list open as soon as their code has
 * loaded.
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
    { ...pageCommand(navigate, t('Inbox'), '/inbox'), keys: ['g i'] },
    { ...pageCommand(navigate, t('Console'), '/console'), keys: ['g c'], enabled },
    { ...pageCommand(navigate, t('Products'), '/products'), keys: ['g p'], enabled },
    early('palette', t('Command Palette'), 'Mod+k'),
    early('shortcuts', t('Keyboard Shortcuts'), '?'),
  ]);
  return <CommandKeys asked={asked} onHere={setHere} />;
}

/** Shows the sign-in page, or redirects admins who are already signed in to the inbox. */
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

/** Shown while the signed-in admin is being fetched. */
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
