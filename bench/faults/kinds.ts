import type { Fault } from './fault.ts';
import { killServer } from './kinds/kill-server.ts';

/** In the order in which they run when none is named. */
export const FAULTS: readonly Fault[] = [killServer];
