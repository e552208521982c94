import { useState } from 'react';

interface MediaUrl {
  /** What to show; null where there is nothing. */
  src: string | null;
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
  const [state, setState] = useState<'fresh' | 'renewing' | 'failed'>('fresh');
  const [tries, setTries] = useState(0);
  const isRenewed = url !== held && (state !== 'fresh' || held === null);
  if (isRenewed) {
    setHeld(url);
    setState('fresh');
  }
  const renew = () => {
    setState('renewing');
    setTries((count) => count + 1);
    // The same URL as before after a renewal is not worth another try.
    void refresh().then(() => setState((now) => (now === 'renewing' ? 'failed' : now)));
  };
  return {
    src: isRenewed ? url : held,
    isFailed: state === 'failed' || held === null,
    onError: () => (tries === 0 ? renew() : setState('failed')),
    retry: renew,
  };
}
