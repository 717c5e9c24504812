import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { App, Size, Testing } from 'cdk8s';
import { Cni } from '../../../../src/constructs/addons/cni/cni';
import { WARNINGS } from '../../../../src/constructs/app/problems/warnings';
import { PoolSize } from '../../../../src/constructs/contracts/node-pool/pool-size';
import { ClusterEntry, ClusterList } from '../../../../src/constructs/repository/fleet/cluster-list';
import { Fleet } from '../../../../src/constructs/repository/fleet/fleet';
import { FleetCluster } from '../../../../src/constructs/repository/fleet/fleet-cluster';
import { FleetProps, IClusterProfile } from '../../../../src/constructs/repository/fleet/fleet-props';
import { TenantClusterOptions } from '../../../../src/constructs/tenant/tenant-cluster-props';
import { problemsOf } from '../../../support/problems';
import { ExampleBootstrap, ExampleControlPlane, ExampleInfrastructure, ExampleMachine } from '../../../support/strategies';

/** A cluster of example strategies that reads nothing. */
export function exampleOptions(options: Partial<TenantClusterOptions> = {}): TenantClusterOptions {
  return {
    controlPlane: new ExampleControlPlane(),
    infrastructure: new ExampleInfrastructure(),
    bootstrap: new ExampleBootstrap(),
    cni: Cni.none(),
    ...options,
  };
}

/** A profile of example strategies. */
export function exampleProfile(props: (cluster: FleetCluster) => Partial<TenantClusterOptions> = () => ({}), populate: IClusterProfile['populate'] = () => {}): IClusterProfile {
  return { props: (cluster) => exampleOptions(props(cluster)), populate };
}

/** A profile with a pool of as many machines as `workers` says. */
export const POOLED = exampleProfile(undefined, (tenant, cluster) => {
  tenant.addNodePool('general', {
    machine: new ExampleMachine({ cpu: 4, memory: Size.gibibytes(16) }), size: PoolSize.fixed(cluster.integer('workers', { default: 2 })),
  });
});

export const RINGS = [{ name: 'canary', kubernetesVersion: '1.36.1' }, { name: 'main', kubernetesVersion: '1.35.4' }];

/** A fleet of example clusters. */
export function exampleFleet(app: App, clusters: ClusterEntry[] | ClusterList, props: Partial<FleetProps> = {}): Fleet {
  const list = clusters instanceof ClusterList ? clusters : ClusterList.of(clusters);
  return new Fleet(app, 'fleet', { clusters: list, profiles: { plain: exampleProfile() }, rings: RINGS, ...props });
}

/** Problems and warnings of a fleet, as `path id text`. */
export function said(clusters: ClusterEntry[] | ClusterList, props: Partial<FleetProps> = {}): string[] {
  const emitted = jest.spyOn(WARNINGS, 'emit').mockImplementation(() => undefined);
  try {
    const app = Testing.app();
    exampleFleet(app, clusters, props);
    const refused = problemsOf(app).map(({ path: at, id, text }) => `${at} ${id} ${text}`);
    return [...refused, ...emitted.mock.calls.map(([warning]) => String(warning).replace(/^\[([^\]]*)\]/, '$1'))];
  } finally {
    emitted.mockRestore();
  }
}

/** A list that is read from a file with such a name. */
export function listIn(name: string, text: string | Uint8Array): ClusterList {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fleet-'));
  const before = process.cwd();
  try {
    fs.writeFileSync(path.join(folder, name), text);
    process.chdir(folder);
    return ClusterList.fromFile(name);
  } finally {
    process.chdir(before);
    fs.rmSync(folder, { recursive: true });
  }
}

/** As for `toEqual`: texts that begin with an id behind a path, and hold everything else. */
export function saying(start: string, ...parts: string[]): unknown {
  const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return expect.stringMatching(new RegExp([`^${escape(start)} `, ...parts.map(escape)].join('.*')));
}
