/** Measurements of a page while it loads and is used. Times are milliseconds since navigation. */
export interface Watch {
  /** When the first rows were painted; 0 until then. */
  usable: number;
  /** When the largest element was painted, before any click or key press. */
  lcp: number;
  /** Total blocking time: the sum of each task's time beyond 50 ms. Milliseconds. */
  blocking: number;
  /** The steps of the benchmark, with their start times. */
  readonly steps: { readonly name: string; readonly from: number }[];
  /** Interactions that took longer than a frame. */
  readonly events: { readonly type: string; readonly from: number; readonly ms: number }[];
}

export type Watched = typeof globalThis & { benchWatch: Watch };

/** Runs in the page before the page's own scripts. */
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
    // The next task runs after this frame is painted.
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      watch.usable = performance.now();
    };
    channel.port2.postMessage(null);
    return 0;
  };
  requestAnimationFrame(look);
}
