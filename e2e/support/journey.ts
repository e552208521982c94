import {
  type Browser,
  type BrowserContextOptions,
  test as base,
  expect,
  type Frame,
  type Page,
} from '@playwright/test';
import { type Database, openDatabase } from '../../apps/server/src/db/database.ts';
import { type Backend, backendOf } from '../../apps/server/test/backend.ts';
import { buildStaff, type Staff } from '../../apps/server/test/factories.ts';
import { until } from '../../apps/server/test/until.ts';
import { createTestDatabase } from '../database.ts';
import { rememberSlate } from './clean-slate.ts';
import { PLATFORM_KEY, type ServerProcess, startServer } from './server.ts';

/**
 * All journeys import `test` from here, because Playwright restarts a worker, and so its server, between tests with different
 * worker fixtures.
 */
export { expect };

/** A server with an empty inbox, test data for it, and browsers for staff. */
export interface Desk extends Backend {
  readonly server: ServerProcess;
  /** Adds a staff member; by default in the support role. */
  hire(overrides?: Parameters<typeof buildStaff>[1]): Promise<Staff>;
  /** Opens the console in a new browser, signed in. */
  open(staff: Staff, options?: OpenOptions): Promise<Page>;
  /** Opens a browser without a session. */
  openSignedOut(options?: OpenOptions): Promise<Page>;
}

export interface OpenOptions {
  readonly path?: string;
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
  /** The browser's language; English by default. */
  readonly locale?: string;
  readonly touch?: boolean;
  /** The system's motion preference; reduced by default. */
  readonly motion?: 'reduce' | 'no-preference';
  /** Whether the system uses forced colors. */
  readonly forcedColors?: 'active' | 'none';
  /** Enables the service worker, whose cache bypasses the journey's changes to the network. */
  readonly serviceWorker?: boolean;
  /** Runs before the page is opened. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

export const DESKTOP = { name: 'desktop', width: 1440, height: 900 };
export const TABLET = { name: 'tablet', width: 820, height: 1180 };
export const PHONE = { name: 'phone', width: 390, height: 844, touch: true };

/** A server shared by one worker's journeys. */
interface Workplace {
  readonly server: ServerProcess;
  readonly db: Database;
  /** Removes everything that a journey left. */
  clear(): Promise<void>;
}

interface WorkerFixtures {
  /** Additional settings of the server that a worker's journeys share. */
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
        // The most detailed log level, so that leaks of confidential data are found.
        env: { LOG_LEVEL: 'trace', ...serverSettings },
      });
      const db = openDatabase({ connectionString: database.url }, () => undefined);
      // The first admin got a random fruit name, which a journey might need for someone else.
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
  desk: async ({ browser, workplace: { server, db, clear } }, use, testInfo) => {
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
    for (const [index, page] of pages.entries()) {
      if (!page.isClosed()) {
        // Playwright's own option would also take a picture of every page that a passed journey closes.
        if (testInfo.status !== testInfo.expectedStatus)
          await page.screenshot({ path: testInfo.outputPath(`page-${index + 1}.png`) });
        // A route may still be fetching an answer.
        await page.unrouteAll({ behavior: 'ignoreErrors' });
      }
      await page.context().close();
    }
    await clear();
    // The console must never use the browser's native dialogs.
    expect(natives).toEqual([]);
  },
});

/**
 * Returns the log lines with data that must never be logged: email addresses, tokens (256 bits in base64), and the platform's
 * key.
 */
const confidential = (output: string): string[] =>
  output
    .split('\n')
    // The startup banner is not part of the log.
    .filter((line) => line.startsWith('{'))
    .filter(
      (line) =>
        /@(staff|fans)\.example|(?<![\w/.-])[\w-]{43}(?![\w/.-])/.test(line) ||
        line.includes(PLATFORM_KEY),
    );

/** Records the messages of native dialogs. The browser's confirmation before leaving a page is accepted and not recorded. */
function noteNativeDialogs(page: Page, said: string[]): void {
  page.context().on('dialog', async (dialog) => {
    const isLeaving = dialog.type() === 'beforeunload';
    if (!isLeaving) said.push(`${dialog.type()}: ${dialog.message()}`);
    // The journey may have answered it already.
    await (isLeaving ? dialog.accept() : dialog.dismiss()).catch(() => undefined);
  });
}

type Stored = Readonly<Record<string, string>>;

/** Returns the browser storage of a signed-in admin. */
export function storedSession({ token, admin }: Staff): Stored {
  return { admin_token: token, admin_data: JSON.stringify(admin) };
}

/** Opens a page in a new browser context. @param cookie the cookie that the sign-in would have set for the API */
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
    ...(options.locale !== undefined && { locale: options.locale }),
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
  // Passing `stored` as the context's storage state would make the browser open an extra page.
  const keeping = await page.addInitScript(keep, { origin: url, stored });
  await options.prepare?.(page);
  await page.goto(options.path ?? '/inbox');
  await keeping.dispose();
  waitForRoutes(page);
  return page;
}

/**
 * Makes `route` wait until the page's calls go through it, because the browser confirms the first route on an open page before it
 * takes effect. Intercepting all calls from the start would make pages a tenth slower.
 */
function waitForRoutes(page: Page): void {
  const path = '/intercepted';
  const route = page.route.bind(page);
  page.route = async (...args) => {
    const added = await route(...args);
    const seen = new Set<Frame>();
    const probe = await route(`**${path}`, (call) => {
      seen.add(call.request().frame());
      return call.fulfill({ status: 204 });
    });
    for (const frame of page.frames())
      await until('calls are intercepted', async () => {
        await frame.evaluate(async (url) => void (await fetch(url).catch(() => undefined)), path);
        return seen.has(frame);
      });
    await probe.dispose();
    return added;
  };
}

/** Runs in the page, before its own code. */
function keep({ origin, stored }: { origin: string; stored: Stored }): void {
  if (location.origin !== origin) return;
  for (const [name, value] of Object.entries(stored)) localStorage.setItem(name, value);
}
