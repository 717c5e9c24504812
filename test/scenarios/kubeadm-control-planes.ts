import { App, Size } from 'cdk8s';
import { Scenario } from './scenario';
import { CertManager } from '../../src/constructs/addons/catalog/cert-manager';
import { Cilium } from '../../src/constructs/addons/cni/cilium';
import { Cni } from '../../src/constructs/addons/cni/cni';
import { ImportedManagementCluster, ManagementNetworkPlugin } from '../../src/constructs/contracts/capabilities/management-cluster';
import { PoolSize } from '../../src/constructs/contracts/node-pool/pool-size';
import { KubeadmControlPlane } from '../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import { KubeadmControlPlaneProps } from '../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane-props';
import { FluxDelivery } from '../../src/constructs/deliveries/flux/flux-delivery';
import { ControlPlaneServiceType, KubevirtInfrastructure } from '../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { EvictionStrategy, RunStrategy } from '../../src/constructs/infrastructures/kubevirt/machine-life-cycle';
import { RootDisk } from '../../src/constructs/infrastructures/kubevirt/root-disk';
import { TenantIsolation } from '../../src/constructs/tenant/isolation/tenant-isolation';
import { TenantCluster } from '../../src/constructs/tenant/tenant-cluster';

/** Machines with a disk that outlives a reboot, and that are replaced when they stop, be it for a drain of their host. */
const CONTROL_PLANE_MACHINE = new KubevirtMachine({
  cpu: 4,
  memory: Size.gibibytes(8),
  rootDisk: RootDisk.registry({ url: 'docker://registry.example.com/nodes/ubuntu:24.04', size: Size.gibibytes(40), storageClass: 'replicated' }),
  runStrategy: RunStrategy.ONCE,
  evictionStrategy: EvictionStrategy.NONE,
});

/** Cluster `acme` on virtual machines only: pod network and an addon through Flux, an autoscaled pool, a quota. */
export function addKubeadmTenant(app: App, props: Partial<KubeadmControlPlaneProps> = {}, quota?: { [resource: string]: string }): TenantCluster {
  const cluster = new TenantCluster(app, 'acme', {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    controlPlane: new KubeadmControlPlane({ machine: CONTROL_PLANE_MACHINE, ...props }),
    infrastructure: new KubevirtInfrastructure({ controlPlaneService: { type: ControlPlaneServiceType.LOAD_BALANCER } }),
    managementCluster: new ImportedManagementCluster({
      podCidrs: ['10.42.0.0/16'],
      serviceCidrs: ['10.43.0.0/16'],
      nodeCidrs: ['192.168.7.0/24'],
      networkPlugin: ManagementNetworkPlugin.KUBE_ROUTER,
    }),
    cni: new Cilium(),
    delivery: new FluxDelivery(),
    isolation: new TenantIsolation({ quota }),
  });
  cluster.addNodePool('general', {
    machine: new KubevirtMachine({ cpu: 4, memory: Size.gibibytes(16), rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu:24.04' }) }),
    size: PoolSize.between(1, 5),
  });
  cluster.addAddon(new CertManager());
  return cluster;
}

/** Control planes on machines of their own. */
export const kubeadmControlPlaneScenarios: { readonly [name: string]: Scenario } = {
  'control-plane-kubeadm': (app) => {
    addKubeadmTenant(app, {
      certSans: ['api.acme.example.com'],
      apiServer: {
        extraArgs: [
          { name: 'audit-policy-file', value: '/etc/kubernetes/audit/policy.yaml' },
          { name: 'audit-log-path', value: '/var/log/kubernetes/audit.log' },
          { name: 'audit-log-maxage', value: '30' },
          { name: 'audit-log-maxbackup', value: '10' },
          { name: 'audit-log-maxsize', value: '100' },
        ],
        extraVolumes: [
          { name: 'audit-policy', hostPath: '/etc/kubernetes/audit', mountPath: '/etc/kubernetes/audit', readOnly: true },
          { name: 'audit-log', hostPath: '/var/log/kubernetes', mountPath: '/var/log/kubernetes' },
        ],
      },
      files: [{ path: '/etc/kubernetes/audit/policy.yaml', content: 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: Metadata\n' }],
      bootCommands: ['mkdir -p /var/log/kubernetes'],
    });
  },
  'kubernetes-1.37': (app) => {
    const cluster = new TenantCluster(app, 'acme', {
      namespace: 'tenant-acme',
      kubernetesVersion: '1.37.2',
      controlPlane: new KubeadmControlPlane({
        machine: CONTROL_PLANE_MACHINE,
        controllerManager: { extraArgs: [{ name: 'concurrent-disruption-syncs', value: '10' }] },
      }),
      infrastructure: new KubevirtInfrastructure({ controlPlaneService: { type: ControlPlaneServiceType.LOAD_BALANCER } }),
      cni: Cni.none(),
    });
    cluster.addNodePool('general', {
      machine: new KubevirtMachine({
        cpu: 4, memory: Size.gibibytes(16), rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu-24.04-kubernetes:1.37.2' }),
      }),
      size: PoolSize.between(1, 5),
      kubelet: { configuration: { featureGates: { DefaultPodSysctls: true }, defaultPodSysctls: { 'net.ipv4.tcp_keepalive_time': '600' } } },
    });
  },
};
