import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';

/** Milliseconds until the lazy code for notifications and offline data is loaded. */
const DELAY_MS = 2_000;

/** Notifies the admin of news and stores data for offline use. Neither is part of the first load. */
export function useNews(client: QueryClient, adminId: string): void {
  const navigate = useNavigate();
  const latestNavigate = useRef(navigate);
  useEffect(() => {
    latestNavigate.current = navigate;
  });
  useEffect(() => {
    let stop: (() => void) | null = null;
    let isOver = false;
    const begin = async () => {
      const [{ watchNews }, { keepShown }] = await Promise.all([
        import('./watch-news.ts'),
        import('./keep-shown.ts'),
      ]);
      if (isOver) return;
      const stopKeeping = keepShown(client, adminId);
      const stopNews = watchNews({
        client,
        adminId,
        open: (path) => void latestNavigate.current(path),
      });
      stop = () => {
        stopNews();
        stopKeeping();
      };
    };
    const timer = setTimeout(() => {
      begin().catch((error: unknown) => console.error('Failed to watch for news', error));
    }, DELAY_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
      stop?.();
    };
  }, [client, adminId]);
}
