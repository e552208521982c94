/** What is noted down in a page while it loads and is used. Times are milliseconds since it was asked for. */
export interface Watch {
  /** When the first rows were painted; 0 before. */
  usable: number;
  /** When the largest thing was painted that was there before anything was clicked or typed. */
  lcp: number;
  /** What tasks took beyond 50 ms each. */
  blocking: number;
  /** What is done to the page from when on, in the words of whoever does it. */
  readonly steps: { readonly name: string; readonly from: number }[];
  /** Interactions that took longer than a frame. */
  readonly events: { readonly type: string; readonly from: number; readonly ms: number }[];
}

export type Watched = typeof globalThis & { benchWatch: Watch };

/** Runs in the page before anything of its own does. */
export function watchPage(stored: Readonly<Record<string, string>>): void {
  for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
  const watch: Watch = { usable: 0, lcp: 0, blocking: 0, steps: [], events: [] };
  (globalThis as Watched).benchWatch = watch;
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) watch.lcp = startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) watch.blocking += Math.max(0, duration - 50);
  }).observe({ type: 'longtask', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { interactionId: number })[]) {
      if (entry.interactionId === 0) continue;
      watch.events.push({ type: entry.name, from: entry.startTime, ms: entry.duration });
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
  const look = () => {
    if (document.querySelector('[data-row]') === null) return requestAnimationFrame(look);
    // The frame in which this ran is painted when the next task runs.
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      watch.usable = performance.now();
    };
    channel.port2.postMessage(null);
    return 0;
  };
  requestAnimationFrame(look);
}
