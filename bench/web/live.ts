import { createPlatformClient } from '@stagedoor/platform-client';
import type { FloorPage } from '../floor/web-server.ts';
import { PLATFORM_KEY } from '../lib/installation.ts';

/** Messages per second. */
const LIVE_RATE = 20;

/**
 * Makes random fans write through the platform API. Returns a function that stops them and returns the number of messages sent.
 */
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

/** Moves random rows of the floor page to the top, {@link LIVE_RATE} per second. Returns a function as {@link fansWrite} does. */
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
