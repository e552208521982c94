import { useQuery } from '@tanstack/react-query';
import {
  AtSign,
  Banknote,
  CalendarClock,
  Clock,
  Command,
  Ellipsis,
  Handshake,
  Inbox,
  LayoutDashboard,
  LogOut,
  type LucideIcon,
  Megaphone,
  MessagesSquare,
  Package,
  SkipForward,
  Timer,
  TimerOff,
  UsersRound,
} from 'lucide-react';
import type { ComponentProps } from 'react';
import { useLocation } from 'react-router';
import { inboxStatsOptions } from '../inbox/list/queries.ts';
import { runCommand, useRegisteredCommands } from '../lib/commands.ts';
import { useAdmin } from '../lib/server/session.ts';
import { formatCount } from '../lib/text/format.ts';
import { t } from '../lib/text/i18n.ts';
import { classes } from '../ui/classes.ts';
import { Link } from '../ui/link.tsx';
import { Menu } from '../ui/overlay/menu.tsx';
import type { Placement } from '../ui/overlay/place-overlay.ts';
import { useNext } from './inbox/queue-tools.tsx';

const ABOVE: Placement = { side: 'above', align: 'end', gap: 8 };

/** The commands in the 'More' menu. Commands that the screen doesn't offer are left out. */
const MORE: readonly (readonly [command: string, LucideIcon])[] = [
  ['clock_in', Timer],
  ['clock_out', Timer],
  ['end_shift', TimerOff],
  ['go/shifts', CalendarClock],
  ['go/earnings', Banknote],
  ['mentions', AtSign],
  ['handovers', Handshake],
  ['templates', MessagesSquare],
  ['scheduled', Clock],
  ['go/campaigns', Megaphone],
  ['go/segments', UsersRound],
  ['go/console', LayoutDashboard],
  ['palette', Command],
  ['sign_out', LogOut],
];

const ITEM =
  'flex h-full min-w-0 flex-1 flex-col items-center justify-center gap-1 px-1 text-badge font-medium text-fg-2 transition-colors duration-80 select-none focus-visible:-outline-offset-2 aria-expanded:text-accent-text aria-[current]:text-accent-text';

/** The paths of the mass message composer. */
const COMPOSER = /^\/campaigns\/(new|[^/]+\/edit)\/?$/;

/** The navigation bar at the bottom of a phone screen. In the mass message composer, the composer's actions take its place. */
export function BottomBar() {
  const { pathname } = useLocation();
  const { can_manage_admins: managesAdmins } = useAdmin().permissions;
  const { data: stats } = useQuery(inboxStatsOptions);
  const commands = useRegisteredCommands();
  const { next, isBusy, canWrite } = useNext();
  const more = MORE.flatMap(([id, icon]) => {
    const title = commands.find((command) => command.id === id)?.title;
    return title === undefined ? [] : [{ label: title, icon, onSelect: () => runCommand(id) }];
  });
  const current = (path: string) => (pathname === path ? 'page' : undefined);
  /** Whether the open page has no link in the bar, so that 'More' is marked as current. */
  const isElsewhere = pathname !== '/inbox' && pathname !== '/products';
  const unread = stats?.unread_count ?? 0;
  return (
    <nav
      aria-label={t('Main navigation')}
      hidden={COMPOSER.test(pathname)}
      className="bottom-bar flex h-14"
    >
      <Link to="/inbox" aria-current={current('/inbox')} className={classes(ITEM, 'relative')}>
        <ItemContent icon={Inbox} label={t('Inbox')} />
        {unread > 0 && (
          <span
            aria-hidden="true"
            className="absolute start-1/2 top-1 ms-1.5 min-w-4 rounded-full bg-accent px-1 text-center text-badge font-semibold text-white tabular-nums"
          >
            {unread > 99 ? '99+' : formatCount(unread)}
          </span>
        )}
      </Link>
      {canWrite && (
        <button type="button" aria-busy={isBusy || undefined} onClick={next} className={ITEM}>
          <ItemContent icon={SkipForward} label={t('Next')} className="rtl:-scale-x-100" />
        </button>
      )}
      {managesAdmins && (
        <Link to="/products" aria-current={current('/products')} className={ITEM}>
          <ItemContent icon={Package} label={t('Products')} />
        </Link>
      )}
      <Menu
        label={t('More', 'menu')}
        items={more}
        placement={ABOVE}
        trigger={
          <button type="button" aria-current={isElsewhere || undefined} className={ITEM}>
            <ItemContent icon={Ellipsis} label={t('More', 'menu')} />
          </button>
        }
      />
    </nav>
  );
}

interface ItemContentProps extends ComponentProps<'svg'> {
  icon: LucideIcon;
  label: string;
}

function ItemContent({ icon: Icon, label, className }: ItemContentProps) {
  return (
    <>
      <Icon size={20} className={classes('shrink-0', className)} />
      <span className="max-w-full truncate">{label}</span>
    </>
  );
}
