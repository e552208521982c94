import { useCallback, useEffect, useState } from 'react';

interface Success {
  text: string;
  /** Milliseconds until the notice disappears. */
  stays: number;
}

/** Notices about the staff administration: failures stay until dismissed, successes for a moment. */
export interface Notices {
  failure: string | null;
  success: string | null;
  fail: (text: string | null) => void;
  succeed: (text: string, stays: number) => void;
}

export function useNotices(): Notices {
  const [failure, setFailure] = useState<string | null>(null);
  const [success, setSuccess] = useState<Success | null>(null);
  useEffect(() => {
    if (success === null) return;
    const timer = setTimeout(() => setSuccess(null), success.stays);
    return () => clearTimeout(timer);
  }, [success]);
  const succeed = useCallback((text: string, stays: number) => {
    setFailure(null);
    setSuccess({ text, stays });
  }, []);
  return { failure, success: success?.text ?? null, fail: setFailure, succeed };
}
