import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';

/** What tells of news, and what keeps the console for times without a network, is loaded this much later. Milliseconds. */
const LATER_MS = 2_000;

/** Tells of news while an admin is signed in, and keeps the console. Neither is part of the first load. */
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
      const { watchNews } = await import('./watch-news.ts');
      const open = (path: string) => void latestNavigate.current(path);
      if (!isOver) stop = watchNews({ client, adminId, open });
    };
    const timer = setTimeout(() => {
      begin().catch((error: unknown) => console.error('Failed to watch for news', error));
    }, LATER_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
      stop?.();
    };
  }, [client, adminId]);
}
