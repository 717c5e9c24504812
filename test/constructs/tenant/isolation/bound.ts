import { App, Chart, Size, Testing } from 'cdk8s';
import { errorsOf } from './built-in';
import { Cni } from '../../../../src/constructs/addons/cni/cni';
import { strategyScope } from '../../../../src/constructs/app/problems/problems';
import { placePart } from '../../../../src/constructs/app/synth/output-place';
import { validateApp } from '../../../../src/constructs/app/validation/attached-validation';
import { IsolationPeer, IsolationPort } from '../../../../src/constructs/contracts/capabilities/isolation-peer';
import { ImportedManagementCluster, ManagementCapabilities, ManagementNetworkPlugin } from '../../../../src/constructs/contracts/capabilities/management-cluster';
import { ClusterContext } from '../../../../src/constructs/contracts/cluster-context';
import { NodePoolProps } from '../../../../src/constructs/contracts/node-pool/node-pool-props';
import { PoolSize } from '../../../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KamajiControlPlaneProps } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane-props';
import { KubevirtInfrastructure } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { KubevirtMachineProps } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine-props';
import { RootDisk } from '../../../../src/constructs/infrastructures/kubevirt/root-disk';
import { TenantIsolation, TenantIsolationProps } from '../../../../src/constructs/tenant/isolation/tenant-isolation';
import { TenantCluster } from '../../../../src/constructs/tenant/tenant-cluster';
import { JsonObject } from '../../../manifests/schema/structural-schema';
import { clusterContext } from '../../../support/contexts';
import { problemsIn, problemsOf, ReportedProblem } from '../../../support/problems';

/** Facts about the management cluster. */
export const MANAGEMENT: ManagementCapabilities = {
  podCidrs: ['10.42.0.0/16'],
  serviceCidrs: ['10.43.0.0/16'],
  nodeCidrs: ['192.168.7.0/24'],
  networkPlugin: ManagementNetworkPlugin.CALICO,
  dataStorePeers: { default: [IsolationPeer.pods({ namespace: 'kamaji-system', ports: [IsolationPort.tcp(2379)] })] },
};

/** The same with Cilium. */
export const CILIUM_MANAGEMENT: ManagementCapabilities = { ...MANAGEMENT, networkPlugin: ManagementNetworkPlugin.CILIUM };

/** Ranges of the management cluster. */
export const RANGES = [...MANAGEMENT.podCidrs!, ...MANAGEMENT.serviceCidrs!, ...MANAGEMENT.nodeCidrs!];

/** Cluster `acme` on KubeVirt in the management cluster, with a control plane of Kamaji. */
export function kubevirtContext(overrides: Partial<ClusterContext> = {}): ClusterContext {
  const infrastructure = { ...new KubevirtInfrastructure().capabilities, servicePublisher: undefined };
  return clusterContext({ infrastructure, management: MANAGEMENT, ...overrides });
}

/** The objects of an isolation, by kind and name, after a strict look at each. */
export function objectsOf(props: TenantIsolationProps, context = kubevirtContext()): { [kindAndName: string]: any } {
  const chart = new Chart(Testing.app(), 'acme', { namespace: context.namespace });
  new TenantIsolation(props).bind(strategyScope(chart, 'Isolation'), context);
  const manifests: JsonObject[] = chart.toJson();
  for (const manifest of manifests) expect(errorsOf(manifest)).toEqual([]);
  return Object.fromEntries(manifests.map((manifest) => [`${String(manifest.kind)} ${String((manifest.metadata as JsonObject).name)}`, manifest]));
}

/** Problems of an isolation alone. */
export function problems(props: TenantIsolationProps, context = kubevirtContext()): ReportedProblem[] {
  return problemsIn((app: App) => {
    validateApp(app);
    new TenantIsolation(props).bind(strategyScope(new Chart(app, 'acme'), 'Isolation'), context);
  });
}

/** A tenant cluster around an isolation. */
export interface Surroundings {
  readonly controlPlane?: KamajiControlPlaneProps;
  readonly machine?: Partial<KubevirtMachineProps>;
  readonly pool?: Partial<NodePoolProps>;
  readonly infrastructure?: KubevirtInfrastructure;
}

/** A cluster with one pool of up to 10 machines of 4 CPUs and 16 GiB. */
export function clusterWith(app: App, isolation: TenantIsolationProps, around: Surroundings = {}): TenantCluster {
  const cluster = new TenantCluster(app, 'acme', {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    controlPlane: new KamajiControlPlane(around.controlPlane),
    infrastructure: around.infrastructure ?? new KubevirtInfrastructure(),
    managementCluster: new ImportedManagementCluster(MANAGEMENT),
    cni: Cni.none(),
  });
  new TenantIsolation(isolation).bind(placePart(strategyScope(cluster, 'Isolation'), 'isolation'), cluster._context);
  cluster.addNodePool('general', {
    machine: new KubevirtMachine({
      cpu: 4,
      memory: Size.gibibytes(16),
      rootDisk: RootDisk.registry({ url: 'docker://registry.example.com/os/ubuntu:24.04-v1.35.4', size: Size.gibibytes(40) }),
      ...around.machine,
    }),
    size: PoolSize.between(1, 10),
    ...around.pool,
  });
  return cluster;
}

/** Problems of such a cluster. */
export function clusterProblems(isolation: TenantIsolationProps, around?: Surroundings): ReportedProblem[] {
  const app = Testing.app();
  clusterWith(app, isolation, around);
  return problemsOf(app);
}
