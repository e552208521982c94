import { lazyPart } from '@stagedoor/browser/lazy-part';
import { useQueryClient } from '@tanstack/react-query';
import {
  ChartColumn,
  ListChecks,
  Megaphone,
  Package,
  ScrollText,
  ShieldCheck,
  Users,
  Webhook,
} from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { useAdmin } from '../lib/server/session.ts';
import { t } from '../lib/text/i18n.ts';
import { useSteady } from '../lib/use-steady.ts';
import { foldersOptions, productsOptions } from '../selling/products/queries.ts';
import { Button } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { Link } from '../ui/link.tsx';
import { LoadingLine } from '../ui/loading-line.tsx';
import { Page } from '../ui/page.tsx';
import { AccessDenied } from './access-denied.tsx';
import { BackToInbox } from './back-to-inbox.tsx';
import { AnalyticsSection, TeamSection } from './team-section.tsx';

/** The sections of the console, each with its own path. */
const SECTIONS = [
  { path: '/console', label: t('Team'), icon: Users, Content: TeamSection },
  {
    path: '/console/analytics',
    label: t('Analytics'),
    icon: ChartColumn,
    Content: AnalyticsSection,
  },
  {
    path: '/console/rules',
    label: t('Rules'),
    icon: ListChecks,
    Content: lazyPart(async () => (await import('./rules-section.tsx')).RulesSection),
  },
  {
    path: '/console/security',
    label: t('Security'),
    icon: ShieldCheck,
    Content: lazyPart(async () => (await import('../team/admins/passkey-card.tsx')).PasskeyCard),
  },
  {
    path: '/console/audit',
    label: t('Audit Log'),
    icon: ScrollText,
    Content: lazyPart(async () => (await import('../team/audit/audit-log.tsx')).AuditLog),
  },
  {
    path: '/console/platform',
    label: t('Platform'),
    icon: Webhook,
    Content: lazyPart(
      async () => (await import('../platform/console/platform-console.tsx')).PlatformConsole,
    ),
  },
] as const;

type Section = (typeof SECTIONS)[number];

/** The admin console: its sections, and the navigation between them. */
export function ConsolePage() {
  const { pathname } = useLocation();
  const section = SECTIONS.find(({ path }) => path === pathname.replace(/\/$/, ''));
  if (section === undefined) return <Navigate to="/inbox" replace />;
  return (
    <ManagersOnly>
      <Page title={t('Admin Console')} windowTitle={section.label} actions={<PageButtons />}>
        <div className="flex flex-col gap-4 max-lg:-mx-4 max-lg:px-4 lg:grid lg:grid-cols-[160px_minmax(0,1fr)] lg:gap-6 xl:grid-cols-[176px_minmax(0,1fr)] xl:gap-8">
          <SectionNav current={section} />
          <div className="min-w-0">
            <Suspense fallback={<Loading />}>
              <section.Content />
            </Suspense>
          </div>
        </div>
      </Page>
    </ManagersOnly>
  );
}

/** Shown while a section loads, after a short delay. */
function Loading() {
  return useSteady(true) && <LoadingLine text={t('Loading...')} />;
}

/** Buttons for the other pages. On a phone they are icons or hidden, because the bottom bar has the same links. */
function PageButtons() {
  const navigate = useNavigate();
  const client = useQueryClient();
  /** Preloads the products page when the button is pointed at or focused. */
  const prepareProducts = () => {
    void import('./products-page.tsx');
    void client.prefetchQuery(productsOptions);
    void client.prefetchQuery(foldersOptions);
  };
  return (
    <>
      <Button
        onPointerEnter={prepareProducts}
        onFocus={prepareProducts}
        onClick={() => void navigate('/products')}
        icon={<Package />}
      >
        <span className="max-md:sr-only">{t('Products')}</span>
      </Button>
      <Button
        onClick={() => void navigate('/campaigns')}
        icon={<Megaphone />}
        className="max-md:hidden"
      >
        {t('Mass Messages')}
      </Button>
      <BackToInbox />
    </>
  );
}

/** The links to the sections: a list beside the content, or a row above it on narrow screens. */
function SectionNav({ current }: { current: Section }) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current
      ?.querySelector(`[href$="${current.path}"]`)
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  return (
    <nav
      aria-label={t('Console Sections')}
      className="-mx-4 -mt-4 border-b border-line bg-surface md:-mt-6 lg:mx-0 lg:mt-0 lg:border-0 lg:bg-transparent"
    >
      <ul
        ref={list}
        className="flex gap-1 px-4 py-1.5 max-lg:scroll-px-12 max-lg:overflow-x-auto max-lg:[mask-image:linear-gradient(to_right,transparent,#000_16px,#000_calc(100%-16px),transparent)] max-lg:[scrollbar-width:none] lg:sticky lg:top-20 lg:flex-col lg:gap-0.5 lg:p-0"
      >
        {SECTIONS.map(({ path, label, icon: Icon }) => (
          <li key={path} className="max-lg:shrink-0">
            <Link
              to={path}
              aria-current={path === current.path ? 'page' : undefined}
              className={classes(
                'flex h-9 items-center gap-2 rounded-control px-2.5 text-control transition-colors duration-80 coarse:h-11',
                path === current.path
                  ? 'bg-selected font-medium text-accent-text'
                  : 'text-fg-2 hover:bg-hover hover:text-fg',
              )}
            >
              <Icon className="max-lg:hidden" />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Shows its children only to admins who can manage admins. The permission may be revoked at any time. */
function ManagersOnly({ children }: { children: ReactNode }) {
  const { permissions } = useAdmin();
  if (permissions.can_manage_admins) return children;
  return (
    <AccessDenied
      text={t('Access Denied: You do not have permission to access the admin console.')}
    />
  );
}
