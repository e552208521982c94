import type { BrowserContext, WebSocketRoute } from '@playwright/test';

/** The live connection's way, which a journey can cut. */
export interface LiveWay {
  /** Ends the connection, and every attempt at a new one, by whichever transport. */
  cut(): Promise<void>;
  mend(): void;
  /** While true, what the server says over the connection does not arrive; what is said to it does. */
  deaf: boolean;
  /** How many messages the browser sent whose text contains this. */
  sent(text: string): number;
}

/** Stands between a browser and the server's live connection. To be called before its page is opened. */
export async function standBetween(context: BrowserContext): Promise<LiveWay> {
  const open = new Set<WebSocketRoute>();
  const messages: string[] = [];
  let isCut = false;
  await context.routeWebSocket(/\/socket\.io\//, (ws) => {
    if (isCut) {
      void ws.close();
      return;
    }
    open.add(ws);
    const server = ws.connectToServer();
    ws.onMessage((message) => {
      messages.push(String(message));
      server.send(message);
    });
    server.onMessage((message) => {
      if (!way.deaf) ws.send(message);
    });
  });
  await context.route(/\/socket\.io\//, (route) => (isCut ? route.abort() : route.continue()));
  const way: LiveWay = {
    async cut() {
      isCut = true;
      for (const ws of open) await ws.close();
      open.clear();
    },
    mend() {
      isCut = false;
    },
    deaf: false,
    sent: (text) => messages.filter((message) => message.includes(text)).length,
  };
  return way;
}
