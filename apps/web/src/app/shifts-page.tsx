import { lazyExtra } from '@stagedoor/browser/lazy-part';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { t } from '../lib/text/i18n.ts';
import { ConnectionBar } from '../messaging/conversation/connection-bar.tsx';
import { ClockLine } from '../team/shifts/clock-line.tsx';
import { ShiftWeek } from '../team/shifts/shift-week.tsx';
import { useClock } from '../team/shifts/use-clock.ts';
import { Page } from '../ui/page.tsx';
import { BackToInbox } from './back-to-inbox.tsx';
import { useHandoverAfterClock } from './handover-after-clock.ts';

const TeamDialogs = lazyExtra(async () => (await import('./team-parts.tsx')).TeamDialogs);

/** The shifts page: the viewer's clock, and the team's week. */
export function ShiftsPage() {
  const navigate = useNavigate();
  const [isEnding, setEnding] = useState(false);
  const clock = useClock(useHandoverAfterClock(() => setEnding(true)));
  return (
    <Page title={t('Shifts')} actions={<BackToInbox />}>
      <div className="sticky top-16 z-30 h-0">
        <ConnectionBar />
      </div>
      <ShiftWeek clock={<ClockLine clock={clock} />} />
      {isEnding && (
        <TeamDialogs
          dialog="end_shift"
          onClose={() => setEnding(false)}
          onOpen={(id) => void navigate(`/inbox/${encodeURIComponent(id)}`)}
        />
      )}
    </Page>
  );
}
