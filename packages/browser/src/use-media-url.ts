import { useState } from 'react';

interface MediaUrl {
  /** What to show; null where there is nothing. */
  src: string | null;
  /** Differs with each try: as the element's key it makes the browser load again. */
  attempt: number;
  isFailed: boolean;
  onError: () => void;
  retry: () => void;
}

/**
 * The URL of a picture, a video or a sound. URLs are short-lived: the first failure fetches a new one with its message.
 * What has loaded keeps its URL when others are renewed.
 */
export function useMediaUrl(url: string | null, refresh: () => Promise<void>): MediaUrl {
  const [held, setHeld] = useState(url);
  const [state, setState] = useState<'fresh' | 'renewing' | 'renewed' | 'failed'>('fresh');
  const [attempt, setAttempt] = useState(0);
  const isRenewed = state === 'renewed' || (url !== held && (state === 'failed' || held === null));
  if (isRenewed) {
    setHeld(url);
    setState('fresh');
    setAttempt(attempt + 1);
  }
  const renew = () => {
    setState('renewing');
    void refresh().then(() => setState('renewed'));
  };
  return {
    src: held,
    attempt,
    isFailed: state === 'failed' || held === null,
    onError: () => (attempt === 0 ? renew() : setState('failed')),
    retry: renew,
  };
}
