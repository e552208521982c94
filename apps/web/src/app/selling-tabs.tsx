import { useInfiniteQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { useAdmin } from '../lib/server/session.ts';
import { t } from '../lib/text/i18n.ts';
import { campaignsOptions } from '../selling/campaigns/queries.ts';
import { classes } from '../ui/classes.ts';
import { Link } from '../ui/link.tsx';

/** The links between the mass message and segment pages. Pages that the viewer may not open are left out. */
export function SellingTabs() {
  const { pathname } = useLocation();
  const { can_manage_admins: isManager } = useAdmin().permissions;
  // Admins who can no longer manage admins can still see the results of campaigns that they created.
  const { data: own = [] } = useInfiniteQuery({ ...campaignsOptions, enabled: !isManager });
  const tabs = [
    ...(isManager || own.length > 0 ? [{ path: '/campaigns', label: t('Mass Messages') }] : []),
    { path: '/segments', label: t('Segments') },
  ];
  return (
    <nav
      aria-label={t('Mass messages and segments')}
      className="mb-4 flex gap-4 border-b border-line"
    >
      {tabs.map(({ path, label }) => {
        const isCurrent = pathname === path || pathname.startsWith(`${path}/`);
        return (
          <Link
            key={path}
            to={path}
            aria-current={isCurrent ? 'page' : undefined}
            className={classes(
              '-mb-px flex h-9 items-center border-b-2 text-control font-medium transition-colors duration-80 coarse:h-11',
              isCurrent
                ? 'border-accent-text text-accent-text'
                : 'border-transparent text-fg-2 hover:text-fg',
            )}
          >
            {label}
          </Link>
        );
      })}
    </nav>
  );
}
