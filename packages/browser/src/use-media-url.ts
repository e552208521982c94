import { useState } from 'react';

interface MediaUrl {
  /** The URL to show, or null. */
  src: string | null;
  /** Changes with each attempt to load. Use it as the element's key, so that the browser loads the URL again. */
  attempt: number;
  isFailed: boolean;
  onError: () => void;
  retry: () => void;
}

/**
 * Manages the short-lived URL of a picture, video or audio file. On the first load error, refetches the message, which
 * contains a new URL. Media that has loaded keeps its URL when other URLs are renewed.
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
