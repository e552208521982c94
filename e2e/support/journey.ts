import {
  type Browser,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
} from '@playwright/test';
import { type Database, openDatabase } from '../../apps/server/src/db/database.ts';
import { type Backend, backendOf } from '../../apps/server/test/backend.ts';
import { buildStaff, type Staff } from '../../apps/server/test/factories.ts';
import { createTestDatabase } from '../database.ts';
import { rememberSlate } from './clean-slate.ts';
import { PLATFORM_KEY, type ServerProcess, startServer } from './server.ts';

export { expect };

/** A server with an empty inbox, the people around it, and browsers for staff. */
export interface Desk extends Backend {
  readonly server: ServerProcess;
  /** A member of staff, support unless told. */
  hire(overrides?: Parameters<typeof buildStaff>[1]): Promise<Staff>;
  /** Opens the console in a browser of their own, signed in already. */
  open(staff: Staff, options?: OpenOptions): Promise<Page>;
  /** A browser that nobody has signed in with. */
  openSignedOut(options?: OpenOptions): Promise<Page>;
}

export interface OpenOptions {
  readonly path?: string;
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
  readonly touch?: boolean;
  /** Whether the system asks for less motion; it does unless told. */
  readonly motion?: 'reduce' | 'no-preference';
  /** Whether the system replaces all colours by a few of its own. */
  readonly forcedColors?: 'active' | 'none';
  /** Lets the service worker keep the page's files, behind the back of what a journey does to the network. */
  readonly serviceWorker?: boolean;
  /** Runs before the page is opened. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844, touch: true };

/** A server that one worker's journeys share, one after the other. */
interface Workplace {
  readonly server: ServerProcess;
  readonly db: Database;
  /** Forgets everything that a journey left. */
  clear(): Promise<void>;
}

interface WorkerFixtures {
  /** What a journey's server is set to besides. */
  serverSettings: Readonly<Record<string, string>>;
  workplace: Workplace;
}

export const test = base.extend<{ desk: Desk }, WorkerFixtures>({
  serverSettings: [{}, { scope: 'worker', option: true }],
  workplace: [
    async ({ serverSettings }, use) => {
      const database = await createTestDatabase();
      const server = await startServer({
        databaseUrl: database.url,
        // Whatever it can say, so that what it must not say would be found.
        env: { LOG_LEVEL: 'trace', ...serverSettings },
      });
      const db = openDatabase({ connectionString: database.url }, () => undefined);
      // The first admin was given any fruit's name: one that a journey gives to somebody else, at times.
      await db.kysely.updateTable('admins').set({ codename: 'Owner' }).execute();
      await db.kysely.deleteFrom('codenames').where('key', '!=', 'owner').execute();
      const wipe = await rememberSlate(db);
      const clear = async () => {
        await wipe();
        server.smtp.clear();
      };
      await use({ server, db, clear });
      await db.close();
      await server.dispose();
      await database.drop();
      expect(confidential(server.output())).toEqual([]);
    },
    { scope: 'worker' },
  ],
  desk: async ({ browser, workplace: { server, db, clear } }, use) => {
    const backend = backendOf({ url: server.url, db, platformKey: PLATFORM_KEY });
    const pages: Page[] = [];
    const natives: string[] = [];
    const opened = async (options: OpenOptions, stored: Stored, cookie?: string) => {
      const page = await openPage(browser, server.url, options, stored, cookie);
      pages.push(page);
      noteNativeDialogs(page, natives);
      return page;
    };
    await use({
      ...backend,
      server,
      hire: (overrides) => buildStaff(backend, overrides),
      open: (staff, options = {}) => opened(options, storedSession(staff), staff.avatarCookie),
      openSignedOut: (options = {}) => opened(options, {}),
    });
    for (const page of pages) await page.context().close();
    await clear();
    // Nothing is told or asked by the browser's own dialogs, whatever a journey did.
    expect(natives).toEqual([]);
  },
});

/**
 * Lines of a server's log that hold what must be in no log, whatever a journey did: people's addresses, tokens (of 256
 * bits, in base64), and the platform's key.
 */
const confidential = (output: string): string[] =>
  output
    .split('\n')
    // The banner is for who has started it.
    .filter((line) => line.startsWith('{'))
    .filter(
      (line) =>
        /@(staff|fans)\.example|(?<![\w/.-])[\w-]{43}(?![\w/.-])/.test(line) ||
        line.includes(PLATFORM_KEY),
    );

/** Notes what a browser's own dialogs said. The question before a page is left is the browser's, and answered by yes. */
function noteNativeDialogs(page: Page, said: string[]): void {
  page.context().on('dialog', async (dialog) => {
    const isLeaving = dialog.type() === 'beforeunload';
    if (!isLeaving) said.push(`${dialog.type()}: ${dialog.message()}`);
    // A journey may have answered it by itself.
    await (isLeaving ? dialog.accept() : dialog.dismiss()).catch(() => undefined);
  });
}

type Stored = Readonly<Record<string, string>>;

/** What the browser of someone who signed in keeps. */
export function storedSession({ token, admin }: Staff): Stored {
  return { admin_token: token, admin_data: JSON.stringify(admin) };
}

/** @param cookie a pair that the sign-in would have set for the API */
export async function openPage(
  browser: Browser,
  url: string,
  options: OpenOptions,
  stored: Stored,
  cookie?: string,
): Promise<Page> {
  const {
    width = DESKTOP.width,
    height = DESKTOP.height,
    theme = 'light',
    touch = false,
    motion = 'reduce',
    forcedColors = 'none',
  } = options;
  const context: BrowserContextOptions = {
    baseURL: url,
    viewport: { width, height },
    colorScheme: theme,
    hasTouch: touch,
    isMobile: touch,
    reducedMotion: motion,
    forcedColors,
    serviceWorkers: options.serviceWorker ? 'allow' : 'block',
  };
  const opened = await browser.newContext(context);
  if (cookie !== undefined) {
    const [name = '', value = ''] = cookie.split('=');
    const { hostname: domain } = new URL(url);
    await opened.addCookies([
      { name, value, domain, path: '/api', httpOnly: true, sameSite: 'Strict' },
    ]);
  }
  const page = await opened.newPage();
  // Passing it as the context's storage would make the browser open a page of its own.
  const keeping = await page.addInitScript(keep, { origin: url, stored });
  await options.prepare?.(page);
  await page.goto(options.path ?? '/inbox');
  await keeping.dispose();
  return page;
}

/** Runs in the page, before its own code. */
function keep({ origin, stored }: { origin: string; stored: Stored }): void {
  if (location.origin !== origin) return;
  for (const [name, value] of Object.entries(stored)) localStorage.setItem(name, value);
}
