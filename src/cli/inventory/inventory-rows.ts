import { bytesText, chartText, controlPlaneText, countText, gpusText, infrastructureText, labelsText, NOT_KNOWN } from './cells';
import { Addon, AddonPlace, Landscape, Pool } from '../../manifests/landscape/cluster-model';

/** A table: what its columns are called, and its rows. */
export interface Rows {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A row for each cluster. */
export function clusterRows({ clusters }: Landscape): Rows {
  return {
    heads: ['CLUSTER', 'VERSION', 'CONTROL PLANE', 'INFRASTRUCTURE', 'POD CIDRS', 'SERVICE CIDRS', 'ENDPOINT', 'POOLS', 'STATE'],
    rows: clusters.map((cluster) => [
      cluster.id,
      cluster.version ?? NOT_KNOWN,
      controlPlaneText(cluster.controlPlane),
      infrastructureText(cluster),
      cluster.podCidrs.join(','),
      cluster.serviceCidrs.join(','),
      cluster.endpoint ?? NOT_KNOWN,
      `${cluster.pools.length}`,
      cluster.state,
    ]),
  };
}

/** A row for each pool. */
export function poolRows({ clusters }: Landscape): Rows {
  return {
    heads: ['CLUSTER', 'POOL', 'VERSION', 'MACHINES', 'CPU', 'MEMORY', 'GPUS', 'TYPE', 'LABELS', 'TAINTS'],
    rows: clusters.flatMap((cluster) => cluster.pools.map((pool) => [cluster.id, ...poolCells(pool)])),
  };
}

/** A row for each addon; those that are of no cluster that is known come last. */
export function addonRows({ clusters, otherAddons }: Landscape): Rows {
  return {
    heads: ['CLUSTER', 'ADDON', 'CHART', 'VERSION', 'DELIVERY', 'NAMESPACE'],
    rows: [
      ...clusters.flatMap((cluster) => cluster.addons.map((addon) => [cluster.id, ...addonCells(addon)])),
      ...otherAddons.map((addon) => [addon.runsIn === AddonPlace.MANAGEMENT ? managementText(addon) : NOT_KNOWN, ...addonCells(addon)]),
    ],
  };
}

function managementText({ managementCluster }: Addon): string {
  return managementCluster === undefined ? '(management)' : `(management ${managementCluster})`;
}

function poolCells(pool: Pool): string[] {
  const { name, version, size, paused, machine, taints } = pool;
  return [
    name,
    version ?? NOT_KNOWN,
    `${countText(size)}${paused ? ', paused' : ''}`,
    `${machine?.cpu ?? NOT_KNOWN}`,
    bytesText(machine?.memory),
    gpusText(machine),
    machine?.instanceType ?? NOT_KNOWN,
    labelsText(pool),
    taints.join(','),
  ];
}

function addonCells(addon: Addon): string[] {
  return [addon.name, chartText(addon), addon.version ?? NOT_KNOWN, addon.kind, addon.targetNamespace ?? NOT_KNOWN];
}
