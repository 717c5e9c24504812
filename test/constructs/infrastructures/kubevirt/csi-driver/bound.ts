import { App, Chart, Testing } from 'cdk8s';
import { tenantChart } from '../../../../../src/constructs/addons/tenant-chart';
import { validateApp } from '../../../../../src/constructs/app/validation/attached-validation';
import { Addon } from '../../../../../src/constructs/contracts/addon';
import {
  KubevirtCloudControllerManager,
} from '../../../../../src/constructs/infrastructures/kubevirt/cloud-controller-manager/kubevirt-cloud-controller-manager';
import {
  KubevirtCsiDriver, KubevirtCsiDriverOptions,
} from '../../../../../src/constructs/infrastructures/kubevirt/csi-driver/kubevirt-csi-driver';
import { KubevirtStorageClass } from '../../../../../src/constructs/infrastructures/kubevirt/csi-driver/kubevirt-storage-class';
import {
  KubevirtInfrastructure, KubevirtInfrastructureProps,
} from '../../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { Manifest } from '../../../../support/clusters';
import { clusterContext } from '../../../../support/contexts';
import { problemsIn, ReportedProblem } from '../../../../support/problems';

/** A driver image that somebody has built. */
export const IMAGE = 'registry.example.com/kubevirt-csi-driver:2026-06-24';

/** One class. */
export const FAST: KubevirtStorageClass = { name: 'fast', infraClass: 'replicated', isDefault: true };

/** A class with snapshots. */
export const SNAPSHOTS: KubevirtStorageClass = { ...FAST, snapshotClasses: [{ name: 'snap', infraClass: 'replicated-snap' }] };

/** The driver runs in another cluster's namespace `vms`. */
export const EDGE: KubevirtInfrastructureProps = { infraClusterSecretRef: { name: 'edge' } };

/** Objects and addons that the infrastructure makes of storage classes. */
export interface Bound {
  /** Objects in the management cluster, but for those of the cluster and of the cloud controller manager. */
  readonly management: Manifest[];
  readonly addons: Addon[];
  /** Objects in the tenant. */
  readonly tenant: Manifest[];
}

/** Binds an infrastructure with storage classes. */
export function bound(
  classes = [FAST], options: KubevirtCsiDriverOptions = {}, props: KubevirtInfrastructureProps = {}, context = clusterContext(),
): Bound {
  const chart = new Chart(Testing.app(), context.name, { namespace: context.namespace, labels: { 'cluster.x-k8s.io/cluster-name': context.name } });
  const infrastructure = new KubevirtInfrastructure({
    cloudControllerManager: KubevirtCloudControllerManager.none(),
    storageClasses: classes,
    csiDriver: KubevirtCsiDriver.of({ image: IMAGE, ...options }),
    ...props,
  });
  const { addons = [] } = infrastructure.bind(chart, context);
  const tenants = addons.map((addon) => {
    const tenant = new Chart(Testing.app(), addon.name);
    addon.bind(tenant, context);
    return tenant;
  });
  return {
    management: Testing.synth(chart).filter(({ kind }) => kind !== 'KubevirtCluster'),
    addons,
    tenant: tenants.flatMap((tenant) => Testing.synth(tenant)),
  };
}

/** Problems of storage classes and a driver. */
export function problemsOfClasses(props: KubevirtInfrastructureProps, context = clusterContext()): ReportedProblem[] {
  return problemsIn((app: App) => {
    validateApp(app);
    const chart = new Chart(app, 'acme', { namespace: context.namespace });
    const { addons = [] } = new KubevirtInfrastructure(props).bind(chart, context);
    addons.forEach((addon) => addon.bind(tenantChart(chart, addon.name), context));
  });
}

/** The objects by kind; kinds that occur once. */
export function byKind(objects: readonly Manifest[]): { [kind: string]: Manifest } {
  const single = objects.filter(({ kind }) => objects.filter((other) => other.kind === kind).length === 1);
  return Object.fromEntries(single.map((object) => [object.kind, object]));
}

/** The containers of a Deployment or DaemonSet by name. */
export function containersOf({ spec }: Manifest): { [name: string]: Manifest } {
  return Object.fromEntries(spec.template.spec.containers.map((container: Manifest) => [container.name, container]));
}
