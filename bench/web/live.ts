import { createPlatformClient } from '@stagedoor/platform-client';
import type { FloorPage } from '../floor/web-server.ts';

export const PLATFORM_KEY = 'platform-key-of-the-measurement-as-long-as-any';

/** Messages a second. */
export const LIVE_RATE = 20;

/** Fans all over the list write, through the platform's API, until it is stopped. @returns how to stop; it tells how many wrote */
export function fansWrite(url: string, fans: number): () => Promise<number> {
  const platform = createPlatformClient({ url, key: PLATFORM_KEY });
  const under = new Set<Promise<unknown>>();
  let sent = 0;
  const timer = setInterval(() => {
    sent += 1;
    const fan = `fan-${1 + Math.floor(Math.random() * fans)}`;
    const writing = platform.sendMessage(fan, { content: `Is it true what they say? ${sent}` });
    under.add(
      writing.catch((error: unknown) => console.error(error)).finally(() => under.delete(writing)),
    );
  }, 1000 / LIVE_RATE);
  return async () => {
    clearInterval(timer);
    await Promise.all(under);
    return sent;
  };
}

/** The floor's rows come to the top as often. */
export function floorMoves(floor: FloorPage): () => Promise<number> {
  let sent = 0;
  const timer = setInterval(() => {
    sent += 1;
    floor.move();
  }, 1000 / LIVE_RATE);
  return async () => {
    clearInterval(timer);
    return sent;
  };
}
