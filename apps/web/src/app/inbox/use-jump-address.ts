import { useCallback, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Jump } from '../../messaging/thread/span.ts';

/** The message that the URL points to, as `?message=` with its id, and a function that changes it. */
export function useJumpAddress(): {
  jump: Jump | null;
  jumpTo: (messageId: string | null) => void;
} {
  const { search, key } = useLocation();
  const navigate = useNavigate();
  const messageId = new URLSearchParams(search).get('message');
  const jump = useMemo(() => (messageId === null ? null : { messageId, key }), [messageId, key]);
  const jumpTo = useCallback(
    (id: string | null) => {
      const { pathname } = window.location;
      if (id === null) void navigate(pathname, { replace: true });
      else void navigate(`${pathname}?message=${encodeURIComponent(id)}`);
    },
    [navigate],
  );
  return { jump, jumpTo };
}
