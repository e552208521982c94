import type { Page } from '@playwright/test';
import type { Staff } from '../../../apps/server/test/factories.ts';

/** A state in which people meet a screen. */
export interface Stop {
  readonly name: string;
  readonly path: string;
  /** What is done from there, up to where it shows. */
  readonly reach: (page: Page) => Promise<unknown>;
}

/** Screens of one kind, furnished with all that they can show, and who looks at them; null for nobody signed in. */
export interface Tour {
  readonly staff: Staff | null;
  readonly stops: readonly Stop[];
}
