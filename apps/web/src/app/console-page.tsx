import { useQueryClient } from '@tanstack/react-query';
import { type LucideIcon, ScrollText, Webhook } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { useNavigate } from 'react-router';
import { lazyPart } from '../lib/lazy-part.ts';
import { t } from '../lib/text/i18n.ts';
import { foldersOptions, productsOptions } from '../selling/products/queries.ts';
import { AddAdminForm } from '../team/admins/add-admin-form.tsx';
import { AdminTiles } from '../team/admins/admin-tiles.tsx';
import { NoticeBanners } from '../team/admins/notice-banners.tsx';
import { PasskeyCard } from '../team/admins/passkey-card.tsx';
import { StaffSection } from '../team/admins/staff-section.tsx';
import { useStaff } from '../team/admins/use-staff.ts';
import { PictureCard } from '../team/creator/picture-card.tsx';
import { TeamRulesCard } from '../team/settings/team-rules-card.tsx';
import { Button } from '../ui/button.tsx';
import { Link } from '../ui/link.tsx';
import { Page } from '../ui/page.tsx';
import { ManagersOnly } from './managers-only.tsx';

const AnalyticsSection = lazyPart(
  async () => (await import('../selling/analytics/analytics-section.tsx')).AnalyticsSection,
);

const GuardRailsCard = lazyPart(
  async () => (await import('../messaging/guard-rails/guard-rails-card.tsx')).GuardRailsCard,
);

/** The admin console: the creator's picture, the staff and their permissions, team settings, and analytics. */
export function ConsolePage() {
  return (
    <ManagersOnly>
      <Console />
    </ManagersOnly>
  );
}

function Console() {
  const navigate = useNavigate();
  const staff = useStaff();
  const client = useQueryClient();
  /** Preloads the products page when the button is pointed at or focused. */
  const prepareProducts = () => {
    void import('./products-page.tsx');
    void client.prefetchQuery(productsOptions);
    void client.prefetchQuery(foldersOptions);
  };
  return (
    <Page
      title={t('Admin Console')}
      actions={
        <>
          <PageLink to="/console/audit" icon={ScrollText}>
            {t('Audit Log')}
          </PageLink>
          <PageLink to="/console/platform" icon={Webhook}>
            {t('Platform')}
          </PageLink>
          <Button
            onPointerEnter={prepareProducts}
            onFocus={prepareProducts}
            onClick={() => void navigate('/products')}
          >
            {t('Products')}
          </Button>
          <Button onClick={() => void navigate('/inbox')}>{t('Back to Inbox')}</Button>
        </>
      }
    >
      <NoticeBanners notices={staff.notices} />
      <div className="flex flex-col gap-4 md:gap-6">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[352px_minmax(0,1fr)] lg:gap-6">
          <PictureCard />
          <div className="flex flex-col gap-4 lg:gap-6">
            <AdminTiles admins={staff.admins} />
            <AddAdminForm add={staff.add} />
          </div>
        </div>
        <StaffSection staff={staff} />
        <TeamRulesCard />
        <PasskeyCard notices={staff.notices} />
        <Suspense>
          <GuardRailsCard />
        </Suspense>
        <Suspense>
          <AnalyticsSection />
        </Suspense>
      </div>
    </Page>
  );
}

interface PageLinkProps {
  to: string;
  icon: LucideIcon;
  children: ReactNode;
}

/** A link to a page below the console. */
function PageLink({ to, icon: Icon, children }: PageLinkProps) {
  return (
    <Link
      to={to}
      className="touch-target inline-flex h-8 items-center gap-1.5 rounded-control px-2.5 text-control font-medium whitespace-nowrap text-fg-2 transition-colors duration-80 max-md:px-1.5 max-md:first:-ms-1.5 hover:bg-hover hover:text-fg coarse:h-11"
    >
      <Icon aria-hidden="true" size={16} strokeWidth={1.75} className="max-md:hidden" />
      {children}
    </Link>
  );
}
