import type { Random } from '@stagedoor/sample-data/random';
import { leftOut } from '../../apps/server/test/left-out.ts';
import { type Cluster, clusterMissing, startCluster } from './cluster.ts';
import type { Fault, FaultReport } from './fault.ts';
import type { World } from './world.ts';

interface ClusterFault extends Omit<Fault, 'start' | 'installation' | 'between' | 'run'> {
  readonly run: (
    cluster: Cluster,
    world: World,
    signal: AbortSignal,
    random: Random,
  ) => Promise<FaultReport>;
}

/** Returns a fault that starts a cluster for each of its runs. */
export function onCluster({ run, ...fault }: ClusterFault): Fault {
  let running: Cluster | null = null;
  const theCluster = () => {
    if (running === null) throw new Error('the cluster was not started');
    return running;
  };
  return {
    ...fault,
    async start() {
      if (leftOut('A cluster is', clusterMissing())) return null;
      running = await startCluster();
      return running;
    },
    between: async () => ({ url: theCluster().url, close: async () => undefined }),
    run: (world, signal, random) => run(theCluster(), world, signal, random),
  };
}
