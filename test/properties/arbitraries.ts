import { App, Duration, Size } from 'cdk8s';
import * as fc from 'fast-check';
import { Cni } from '../../src/constructs/addons/cni/cni';
import { HealthCheck } from '../../src/constructs/contracts/node-pool/health-check';
import { KubeletOptions } from '../../src/constructs/contracts/node-pool/kubelet';
import { MachineCount } from '../../src/constructs/contracts/node-pool/machine-count';
import { NodePoolProps } from '../../src/constructs/contracts/node-pool/node-pool-props';
import { PoolSize } from '../../src/constructs/contracts/node-pool/pool-size';
import { RolloutStrategy } from '../../src/constructs/contracts/node-pool/rollout-strategy';
import { KamajiCoreDns, KamajiKubeProxy } from '../../src/constructs/control-planes/kamaji/addons';
import { KamajiExposure } from '../../src/constructs/control-planes/kamaji/exposure';
import { KamajiControlPlane } from '../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KamajiControlPlaneProps } from '../../src/constructs/control-planes/kamaji/kamaji-control-plane-props';
import { KamajiKonnectivity } from '../../src/constructs/control-planes/kamaji/konnectivity';
import { KubeadmBootstrap } from '../../src/constructs/control-planes/kubeadm/bootstrap/kubeadm-bootstrap';
import { KubeadmBootstrapProps } from '../../src/constructs/control-planes/kubeadm/bootstrap/kubeadm-bootstrap-props';
import { Firmware } from '../../src/constructs/infrastructures/kubevirt/devices';
import { ExtraDisk } from '../../src/constructs/infrastructures/kubevirt/extra-disk';
import { KubevirtInfrastructure } from '../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { KubevirtMachineProps } from '../../src/constructs/infrastructures/kubevirt/kubevirt-machine-props';
import { RootDisk } from '../../src/constructs/infrastructures/kubevirt/root-disk';
import { TenantCluster } from '../../src/constructs/tenant/tenant-cluster';
import { TenantClusterProps } from '../../src/constructs/tenant/tenant-cluster-props';
import { TaintEffect } from '../../src/manifests/values/taints';

/** A tenant as it is declared: cluster and pools, all of it valid. */
export interface Tenant {
  readonly props: TenantClusterProps;
  readonly pools: { readonly [name: string]: NodePoolProps };
}

/** Declares the tenant in a tree. */
export function declare(app: App, tenant: Tenant): TenantCluster {
  const cluster = new TenantCluster(app, 'acme', tenant.props);
  Object.entries(tenant.pools).forEach(([name, props]) => cluster.addNodePool(name, props));
  return cluster;
}

const word = fc.stringMatching(/^[a-z]([a-z0-9]{0,8})$/);
const labels = fc.dictionary(word.map((name) => `example.com/${name}`), word, { maxKeys: 3 });
const seconds = (min: number, max: number): fc.Arbitrary<Duration> => fc.integer({ min, max }).map((value) => Duration.seconds(value));
const gibibytes = (min: number, max: number): fc.Arbitrary<Size> => fc.integer({ min, max }).map((value) => Size.gibibytes(value));

/** Properties that may each be left out. */
function some<T extends object>(model: { [K in keyof T]?: fc.Arbitrary<T[K]> }): fc.Arbitrary<Partial<T>> {
  return fc.record(model as { [K in keyof T]: fc.Arbitrary<T[K]> }, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>>;
}

const exposure = (address: string): fc.Arbitrary<KamajiExposure> => fc.oneof(
  fc.record({ port: fc.constantFrom(443, 6443, 16443) }).map((options) => KamajiExposure.loadBalancer({ ...options, sourceRanges: ['192.0.2.0/24'] })),
  fc.integer({ min: 30000, max: 32000 }).map((port) => KamajiExposure.nodePort({ address, port, konnectivityPort: port + 1 })),
  fc.constant(KamajiExposure.clusterIp()),
  word.map((name) => KamajiExposure.ingress({ hostname: `${name}.example.com`, className: 'nginx' })),
  word.map((name) => KamajiExposure.gateway({ name, namespace: 'gateways', hostname: `${name}.example.com`, sectionName: name })),
);

const controlPlane = (address: string): fc.Arbitrary<KamajiControlPlane> => some<KamajiControlPlaneProps>({
  replicas: fc.integer({ min: 0, max: 5 }),
  dataStore: word,
  exposure: exposure(address),
  certSans: fc.uniqueArray(word.map((name) => `${name}.example.com`), { maxLength: 3 }),
  konnectivity: fc.constantFrom(KamajiKonnectivity.managed(), KamajiKonnectivity.none()),
  coreDns: fc.constantFrom(KamajiCoreDns.managed(), KamajiCoreDns.none()),
  kubeProxy: fc.constantFrom(KamajiKubeProxy.managed(), KamajiKubeProxy.none()),
  apiServer: fc.record({ extraArgs: fc.integer({ min: 1, max: 48 }).map((hours) => [{ name: 'event-ttl', value: `${hours}h` }]) }),
}).map((props) => new KamajiControlPlane(props));

const rootDisk = fc.oneof(
  word.map((name) => RootDisk.containerDisk({ image: `registry.example.com/${name}:1.0` })),
  fc.record({ size: gibibytes(10, 500), storageClass: word }).map((options) => RootDisk.http({ ...options, url: 'https://images.example.com/node.qcow2' })),
  fc.record({ size: gibibytes(10, 500) }).map((options) => RootDisk.clonePvc({ ...options, claimName: 'image' })),
);

const machineOptions = some<KubevirtMachineProps>({
  extraDisks: fc.uniqueArray(word.filter((name) => name !== 'root'), { maxLength: 3 }).map((names) => names.map((name) => (
    name.length % 2 ? ExtraDisk.blank({ name, size: Size.gibibytes(5) }) : ExtraDisk.ephemeral({ name, size: Size.gibibytes(5) })))),
  additionalNetworks: fc.uniqueArray(word, { maxLength: 2 }).map((names) => names.map((name) => ({ networkName: `networks/${name}`, name: `net-${name}` }))),
  gpus: fc.integer({ min: 1, max: 4 }).map((count) => [{ deviceName: 'nvidia.com/A10', count }]),
  firmware: fc.constantFrom(Firmware.BIOS, Firmware.UEFI, Firmware.UEFI_SECURE_BOOT),
  nodeSelector: labels,
  terminationGracePeriod: seconds(1, 3600),
});

const machine: fc.Arbitrary<KubevirtMachine> = fc.record({
  sizing: fc.oneof(
    fc.record({ cpu: fc.integer({ min: 1, max: 64 }), memory: gibibytes(1, 512) }),
    fc.record({ instanceType: fc.constant('u1.large'), capacity: fc.record({ cpu: fc.integer({ min: 1, max: 64 }), memory: gibibytes(1, 512) }) }),
  ),
  rootDisk,
  options: machineOptions,
}).map(({ sizing, rootDisk: disk, options }) => new KubevirtMachine({ ...options, ...sizing, rootDisk: disk }));

const bootstrap: fc.Arbitrary<KubeadmBootstrap> = some<KubeadmBootstrapProps>({
  files: fc.uniqueArray(word, { maxLength: 3 }).map((names) => names.map((name) => ({ path: `/etc/${name}.conf`, content: `${name}\n` }))),
  preKubeadmCommands: fc.array(word.map((name) => `echo ${name}`), { maxLength: 3 }),
  ntp: fc.constant({ servers: ['ntp.example.com'] }),
  registryMirrors: fc.constant([{ registry: 'docker.io', endpoints: ['https://mirror.example.com'] }]),
  httpProxy: fc.constant({ httpsProxy: 'http://proxy.example.com:3128' }),
}).map((props) => new KubeadmBootstrap(props));

const size = fc.oneof(
  fc.integer({ min: 0, max: 20 }).map((count) => PoolSize.fixed(count)),
  fc.tuple(fc.integer({ min: 0, max: 10 }), fc.integer({ min: 1, max: 20 })).map(([min, more]) => PoolSize.between(min, min + more)),
);

const poolOptions = some<NodePoolProps>({
  labels,
  taints: fc.uniqueArray(word, { maxLength: 2 }).map((keys) => keys.map((key) => ({ key, effect: TaintEffect.NO_SCHEDULE }))),
  bootstrap,
  kubelet: some<KubeletOptions>({ maxPods: fc.integer({ min: 10, max: 250 }), systemReserved: fc.constant({ cpu: '60m' }) }) as fc.Arbitrary<KubeletOptions>,
  healthCheck: fc.oneof(fc.constant(HealthCheck.none()), seconds(120, 3600).map((nodeStartupTimeout) => HealthCheck.of({ nodeStartupTimeout }))),
  rollout: fc.oneof(
    fc.constant(RolloutStrategy.onDelete()),
    fc.integer({ min: 1, max: 100 }).map((percent) => RolloutStrategy.rollingUpdate({ maxSurge: MachineCount.percent(percent) })),
  ),
  nodeDrainTimeout: seconds(0, 7200),
});

/** The parts of one pool; a test may exchange one. */
export const poolProps: fc.Arbitrary<NodePoolProps> = fc.record({ machine, size, options: poolOptions })
  .map(({ options, ...required }) => ({ ...options, ...required }));

/** A control plane, and networks of the family that it is reached in. */
const family = fc.constantFrom<{ address: string; networks: Pick<TenantClusterProps, 'podCidrs' | 'serviceCidrs'> }[]>(
  { address: '192.0.2.1', networks: {} },
  { address: '192.0.2.1', networks: { podCidrs: ['10.32.0.0/14'] } },
  { address: '2001:db8::1', networks: { podCidrs: ['fd00:1::/52'], serviceCidrs: ['fd00:2::/112'] } },
).chain(({ address, networks }) => controlPlane(address).map((plane) => ({ plane, networks })));

/** Any valid tenant. */
export const tenants: fc.Arbitrary<Tenant> = fc.record({
  kubernetesVersion: fc.constantFrom('1.33.13', '1.34.4', 'v1.35.4', '1.36.3'),
  family,
  options: some<TenantClusterProps>({
    serviceDomain: word.map((name) => `${name}.internal`),
    labels,
    createNamespace: fc.boolean(),
    paused: fc.boolean(),
  }),
  pools: fc.dictionary(word.map((name) => `pool-${name}`), poolProps, { maxKeys: 3 }),
}).map(({ kubernetesVersion, family: { plane, networks }, options, pools }) => ({
  props: {
    ...options,
    namespace: 'tenant-acme',
    kubernetesVersion,
    controlPlane: plane,
    infrastructure: new KubevirtInfrastructure(),
    cni: Cni.none(),
    ...networks,
  },
  pools,
}));
