import { App, Duration, Size } from 'cdk8s';
import { Scenario } from './scenario';
import { Cni } from '../../src/constructs/addons/cni/cni';
import { HealthCheck } from '../../src/constructs/contracts/node-pool/health-check';
import { NodePoolProps } from '../../src/constructs/contracts/node-pool/node-pool-props';
import { PoolSize } from '../../src/constructs/contracts/node-pool/pool-size';
import { RolloutStrategy } from '../../src/constructs/contracts/node-pool/rollout-strategy';
import { KamajiControlPlane } from '../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KubeadmBootstrap } from '../../src/constructs/control-planes/kubeadm/bootstrap/kubeadm-bootstrap';
import { Firmware } from '../../src/constructs/infrastructures/kubevirt/devices';
import { ExtraDisk } from '../../src/constructs/infrastructures/kubevirt/extra-disk';
import { KubevirtInfrastructure } from '../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { EvictionStrategy } from '../../src/constructs/infrastructures/kubevirt/machine-life-cycle';
import { NetworkBinding } from '../../src/constructs/infrastructures/kubevirt/network';
import { RootDisk } from '../../src/constructs/infrastructures/kubevirt/root-disk';
import { TenantCluster } from '../../src/constructs/tenant/tenant-cluster';
import { TaintEffect } from '../../src/manifests/values/taints';

function withPools(pools: { readonly [name: string]: NodePoolProps }): Scenario {
  return (app: App) => {
    const cluster = new TenantCluster(app, 'acme', {
      namespace: 'tenant-acme',
      kubernetesVersion: '1.35.4',
      controlPlane: new KamajiControlPlane(),
      infrastructure: new KubevirtInfrastructure({ infraClusterSecretRef: { name: 'infra-kubeconfig' } }),
      cni: Cni.none(),
    });
    Object.entries(pools).forEach(([name, props]) => cluster.addNodePool(name, props));
  };
}

const SIZE = { cpu: 2, memory: Size.gibibytes(4) };
const DISK = { size: Size.gibibytes(20), storageClass: 'replicated' };
const THREE = PoolSize.fixed(3);

/** Pools that use what the examples leave out. */
export const poolScenarios: { readonly [name: string]: Scenario } = {
  'pools-root-disks': withPools({
    'container-disk': { machine: new KubevirtMachine({ ...SIZE, rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu:24.04', imagePullSecret: 'pull' }) }), size: THREE },
    'registry': { machine: new KubevirtMachine({ ...SIZE, rootDisk: RootDisk.registry({ ...DISK, url: 'docker://registry.example.com/nodes/ubuntu:24.04' }) }), size: THREE },
    'http': { machine: new KubevirtMachine({ ...SIZE, rootDisk: RootDisk.http({ ...DISK, url: 'https://images.example.com/ubuntu.qcow2' }) }), size: THREE },
    'clone': { machine: new KubevirtMachine({ ...SIZE, rootDisk: RootDisk.clonePvc({ ...DISK, claimName: 'ubuntu', namespace: 'images' }) }), size: THREE },
    'snapshot': { machine: new KubevirtMachine({ ...SIZE, rootDisk: RootDisk.snapshot({ ...DISK, snapshotName: 'ubuntu' }) }), size: THREE },
  }),
  'pools-machines': withPools({
    secure: {
      machine: new KubevirtMachine({
        ...SIZE,
        rootDisk: RootDisk.http({ ...DISK, url: 'https://images.example.com/ubuntu.qcow2' }),
        extraDisks: [ExtraDisk.blank({ name: 'data', size: Size.gibibytes(100) }), ExtraDisk.ephemeral({ name: 'scratch', size: Size.gibibytes(10) })],
        additionalNetworks: [{ networkName: 'networks/storage' }, { networkName: 'networks/fast', binding: NetworkBinding.SRIOV }],
        firmware: Firmware.UEFI_SECURE_BOOT,
        evictionStrategy: EvictionStrategy.LIVE_MIGRATE,
        terminationGracePeriod: Duration.minutes(10),
      }),
      size: PoolSize.between(3, 9),
      healthCheck: HealthCheck.none(),
      rollout: RolloutStrategy.onDelete(),
    },
    devices: {
      machine: new KubevirtMachine({
        ...SIZE,
        rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu:24.04' }),
        hostDevices: [{ deviceName: 'intel.com/qat', count: 2 }],
        podEphemeralStorage: Size.gibibytes(10),
      }),
      size: THREE,
      kubernetesVersion: '1.35.1',
    },
  }),
  'pools-bootstrap': withPools({
    general: {
      machine: new KubevirtMachine({ ...SIZE, rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu:24.04' }) }),
      size: THREE,
      labels: { 'example.com/tier': 'web', 'topology.kubernetes.io/zone': 'a' },
      taints: [{ key: 'example.com/web', value: 'only', effect: TaintEffect.NO_EXECUTE }],
      kubelet: {
        evictionSoft: { 'memory.available': { threshold: '10%', gracePeriod: Duration.seconds(90) } },
        configuration: { serializeImagePulls: false, maxParallelImagePulls: 4 },
      },
      bootstrap: new KubeadmBootstrap({
        files: [
          { path: '/etc/sysctl.d/90-nodes.conf', content: 'vm.max_map_count = 262144\n' },
          { path: '/etc/kubernetes/registry.json', secret: { name: 'registry-credentials', key: 'config.json' }, permissions: '0600' },
        ],
        bootCommands: ['modprobe br_netfilter'],
        preKubeadmCommands: ['sysctl --system'],
        postKubeadmCommands: ['echo "joined ${HOSTNAME}"'],
        users: [{ name: 'operator', passwordFrom: { name: 'operator', key: 'hash' }, groups: ['adm'] }],
        ntp: { servers: ['ntp.example.com'] },
        registryMirrors: [
          { registry: 'docker.io', endpoints: ['https://mirror-a.example.com', 'https://mirror-b.example.com'] },
          { registry: '_default', endpoints: ['https://cache.example.com/v2/proxy'], overridePath: true },
        ],
        httpProxy: { httpProxy: 'http://proxy.example.com:3128', httpsProxy: 'http://proxy.example.com:3128' },
        kubeletExtraArgs: [{ name: 'v', value: '4' }],
      }),
    },
  }),
};
