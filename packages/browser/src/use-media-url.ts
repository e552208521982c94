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

/** Milliseconds. A new URL that fails this soon has not expired: its file can't be shown. */
const SOON_MS = 60_000;

/**
 * Manages the short-lived URL of a picture, video or audio file. On a load error, refetches the message, which contains a new
 * URL. Media that has loaded keeps its URL when other URLs are renewed.
 */
export function useMediaUrl(url: string | null, refresh: () => Promise<void>): MediaUrl {
  const [held, setHeld] = useState(url);
  const [state, setState] = useState<'fresh' | 'renewing' | 'renewed' | 'failed'>('fresh');
  const [attempt, setAttempt] = useState(0);
  const [renewedAt, setRenewedAt] = useState(-SOON_MS);
  const isRenewed = state === 'renewed' || (url !== held && (state === 'failed' || held === null));
  if (isRenewed) {
    setHeld(url);
    setState('fresh');
    setAttempt(attempt + 1);
  }
  const renew = () => {
    setState('renewing');
    setRenewedAt(performance.now());
    void refresh().then(() => setState('renewed'));
  };
  return {
    src: held,
    attempt,
    isFailed: state === 'failed' || held === null,
    onError: () => (performance.now() - renewedAt < SOON_MS ? setState('failed') : renew()),
    retry: renew,
  };
}
