import { App, Size, Testing } from 'cdk8s';
import { NodePoolProps } from '../../../src/constructs/contracts/node-pool/node-pool-props';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { KubevirtMachine } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { KubevirtMachineProps } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-machine-props';
import { RootDisk } from '../../../src/constructs/infrastructures/kubevirt/root-disk';
import { TenantCluster } from '../../../src/constructs/tenant/tenant-cluster';
import { TenantClusterProps } from '../../../src/constructs/tenant/tenant-cluster-props';
import { placedObjects } from '../../../src/manifests/landscape/placed-objects';
import { PlannedCluster, PlannedPart } from '../../../src/manifests/plan/plan-model';
import { PlannedChanges, planObjects } from '../../../src/manifests/plan/plan-objects';
import { addCluster } from '../../support/many-clusters';

/** A page with the tenant `acme`. */
export interface TenantPage {
  readonly cluster?: Partial<TenantClusterProps>;
  readonly pool?: Partial<NodePoolProps>;
  readonly machine?: Partial<KubevirtMachineProps>;

  /** Further calls for the cluster. */
  readonly more?: (acme: TenantCluster) => void;
}

/** The objects of a page: one chart, as `App.synth` writes it. */
export function written({ cluster, pool, machine, more }: TenantPage, name = 'acme'): any[] {
  const app: App = Testing.app();
  const acme = addCluster(app, name, cluster, []);
  acme.addNodePool('general', {
    machine: new KubevirtMachine({
      cpu: 4, memory: Size.gibibytes(8), rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/node:1.35.4' }), ...machine,
    }),
    size: PoolSize.fixed(3),
    ...pool,
  });
  more?.(acme);
  return app.charts.flatMap((chart) => Testing.synth(chart));
}

/** Compares objects. */
export function planned(before: readonly unknown[], after: readonly unknown[]): PlannedChanges {
  const [old, now] = [before, after].map((objects) => placedObjects([{ file: 'dist/all.yaml', bytes: Buffer.from(objects.map((object) => JSON.stringify(object)).join('\n---\n')) }]).objects);
  return planObjects({ objects: old }, { objects: now });
}

/** Plan for the tenant when one page takes the place of another. */
export function plannedTenant(before: TenantPage, after: TenantPage): PlannedCluster | undefined {
  const { clusters, shared } = planned(written(before), written(after));
  expect(shared).toEqual([]);
  return clusters[0];
}

/** The parts of a cluster by name, each with its effects in short. */
export function effectsIn(cluster: PlannedCluster | undefined): { [part: string]: string[] } {
  return Object.fromEntries((cluster?.parts ?? []).map((part) => [`${part.part} ${part.name}`.trim(), short(part)]));
}

function short({ effects }: PlannedPart): string[] {
  return effects.map(({ effect, count, atATime, reasons }) => [
    effect, ...(count ? [count.minimum === count.maximum ? `${count.maximum}` : `${count.minimum}-${count.maximum}`] : []), ...(atATime === undefined ? [] : [`by ${atATime}`]),
    ...reasons.length > 0 ? [`(${reasons.join('; ')})`] : [],
  ].join(' '));
}
