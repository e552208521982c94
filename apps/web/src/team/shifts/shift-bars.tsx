import { useQuery } from '@tanstack/react-query';
import { AccessBar } from './access-bar.tsx';
import { nowOptions } from './queries.ts';
import { RequestsBar } from './requests-bar.tsx';
import { StoppedBar } from './stopped-bar.tsx';
import { useClock } from './use-clock.ts';

/** The bars, shown on every page, that inform an admin about their shift and requests for more time. */
export function ShiftBars() {
  const { data } = useQuery(nowOptions);
  const clock = useClock();
  if (data === undefined) return null;
  const { access, asked, requests } = data;
  return (
    <div className="shrink-0">
      {access.is_limited && <AccessBar until={access.until} asked={asked} />}
      <StoppedBar clock={clock} />
      {requests.length > 0 && <RequestsBar requests={requests} />}
    </div>
  );
}
