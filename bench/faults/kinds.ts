import type { Fault } from './fault.ts';
import { calm } from './kinds/calm.ts';
import { campaign } from './kinds/campaign.ts';
import { clock } from './kinds/clock.ts';
import { cluster } from './kinds/cluster.ts';
import { databaseLink } from './kinds/database-link.ts';
import { diskFull } from './kinds/disk-full.ts';
import { failovers } from './kinds/failover.ts';
import { killBroker } from './kinds/kill-broker.ts';
import { killDatabase } from './kinds/kill-database.ts';
import { killServer } from './kinds/kill-server.ts';
import { networkFaults } from './kinds/network.ts';
import { pointInTime } from './kinds/point-in-time.ts';
import { restarts } from './kinds/restarts.ts';
import { rollingRestarts } from './kinds/rolling-restarts.ts';
import { upgradePostgres } from './kinds/upgrade-postgres.ts';

/** All faults, in the order in which they run by default. */
export const FAULTS: readonly Fault[] = [
  calm,
  killServer,
  killDatabase,
  restarts,
  clock,
  ...Object.values(networkFaults),
  killBroker(),
  rollingRestarts(),
  campaign(),
  cluster,
  ...Object.values(failovers),
  pointInTime,
  upgradePostgres(),
  databaseLink,
  diskFull,
];
