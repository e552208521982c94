import type { Fault } from './fault.ts';
import { killServer } from './kinds/kill-server.ts';
import { networkFaults } from './kinds/network.ts';

/** In the order in which they run when none is named. */
export const FAULTS: readonly Fault[] = [killServer, ...networkFaults];
