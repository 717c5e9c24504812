import { App, Size, Testing } from 'cdk8s';
import { EXPORTS } from './samples';
import * as source from '../../../../src/constructs/addons/helm-addon';
import { TenantClusterProps } from '../../../../src/constructs/tenant/tenant-cluster-props';
import { problemsOf } from '../../../support/problems';

const {
  CertManager, Cilium, ClusterList, Fleet, FluxDelivery, GitOpsApp, HealthCheck, HelmAddon, KamajiControlPlane, KubevirtCsiDriver,
  KubevirtInfrastructure, KubevirtMachine, MachineCount, MetricsServer, Plan, PoolSize, RolloutStrategy, RootDisk, TenantCluster,
} = EXPORTS;

function props(changes: object = {}): TenantClusterProps {
  return {
    namespace: 'tenant-acme',
    kubernetesVersion: 'v1.35.4',
    infrastructure: new KubevirtInfrastructure(),
    controlPlane: new KamajiControlPlane(),
    cni: new Cilium(),
    delivery: new FluxDelivery(),
    ...changes,
  };
}

function machine(changes: object = {}): object {
  const rootDisk = RootDisk.containerDisk({ image: 'quay.io/capk/ubuntu-2404-container-disk:v1.35.4' });
  return new KubevirtMachine({ cpu: 4, memory: Size.gibibytes(8), rootDisk, ...changes });
}

function pool(changes: object = {}) {
  return { size: PoolSize.fixed(2), machine: machine(), ...changes };
}

type Page = (app: App) => void;

const tenant = (changes: () => object): Page => (app) => void new TenantCluster(app, 'acme', props(changes()));
const pooled = (changes: () => object): Page => (app) => void new TenantCluster(app, 'acme', props()).addNodePool('general', pool(changes()));
const added = (addon: () => unknown): Page => (app) => void new TenantCluster(app, 'acme', props()).addAddon(addon());

/** The lines of the error that a page throws. */
function said(page: Page): string[] {
  const app = Testing.app();
  try {
    page(app);
  } catch (error) {
    return (error as Error).message.split('\n');
  }
  return problemsOf(app).map(({ path, id, text }) => `[${path}] ${id} ${text}`);
}

test('the page is right as it is', () => {
  expect(said((app) => void new TenantCluster(app, 'acme', props()).addNodePool('general', pool()))).toEqual([]);
});

test.each<[name: string, page: Page, ...texts: string[]]>([
  ['a variable that is not set', tenant(() => ({ kubernetesVersion: undefined })), '[acme] TC-ARGUMENT-MISSING kubernetesVersion: it is undefined', 'a variable that is not set?'],
  ['an empty id', (app) => void new TenantCluster(app, '', props()), 'TC-ARGUMENT-MISSING new TenantCluster(id): it is empty, and it is required', 'a variable that is not set?'],
  ['an empty id of a pool', (app) => void new TenantCluster(app, 'acme', props()).addNodePool('', pool()), '[acme] TC-ARGUMENT-MISSING addNodePool(id): it is empty'],
  ['a version that YAML read as a number', tenant(() => ({ kubernetesVersion: 1.35 })), '[acme] TC-ARGUMENT-TYPE kubernetesVersion: 1.35 is a number', 'put it in quotes'],
  ['a namespace that is not set', tenant(() => ({ namespace: undefined })), '[acme] TC-ARGUMENT-MISSING namespace: '],
  ['one range in place of a list', tenant(() => ({ podCidrs: '10.0.0.0/16' })), '[acme] TC-ARGUMENT-TYPE podCidrs: "10.0.0.0/16" is a string', 'square brackets'],
  ['a property with a slip in its name', tenant(() => ({ podCIDRs: ['10.0.0.0/16'] })), '[acme] TC-ARGUMENT-UNKNOWN podCIDRs: TenantClusterProps has no such property', 'did you mean podCidrs?'],
  ['a class without new', tenant(() => ({ cni: Cilium })), '[acme] TC-ARGUMENT-TYPE cni: the class Cilium is given', 'new Cilium(…)'],
  ['a name in place of an object', tenant(() => ({ cni: 'cilium' })), '[acme] TC-ARGUMENT-TYPE cni: "cilium" is a string', 'new Calico(…)'],
  ['no pod network', tenant(() => ({ cni: undefined })), '[acme] TC-ARGUMENT-MISSING cni: ', 'new Cilium(…)'],
  ['a delivery by its name', tenant(() => ({ delivery: 'flux' })), '[acme] TC-ARGUMENT-TYPE delivery: "flux" is a string', 'new FluxDelivery(…)'],
  ['an object in place of a control plane', tenant(() => ({ controlPlane: { replicas: 2 } })), '[acme] TC-ARGUMENT-TYPE controlPlane: an object with replicas is given', 'new KamajiControlPlane(…)'],
  ['an infrastructure in place of a control plane', tenant(() => ({ controlPlane: new KubevirtInfrastructure() })), '[acme] TC-ARGUMENT-TYPE controlPlane: a KubevirtInfrastructure is given'],
  ['no infrastructure', tenant(() => ({ infrastructure: undefined })), '[acme] TC-ARGUMENT-MISSING infrastructure: ', 'new KubevirtInfrastructure(…)'],
  ['a switch from the environment', tenant(() => ({ decommission: 'false' })), '[acme] TC-ARGUMENT-TYPE decommission: "false" is a string', 'true or false'],
  ['a switch within a list', tenant(() => ({ infrastructure: new KubevirtInfrastructure({ csiDriver: KubevirtCsiDriver.of({ image: 'registry.example.com/csi:1.0' }), storageClasses: [{ name: 'a', isDefault: 'false' }] }) })),
    'TC-ARGUMENT-TYPE new KubevirtInfrastructure(storageClasses[0].isDefault): "false" is a string'],
  ['an interval as text', tenant(() => ({ delivery: new FluxDelivery({ interval: '5m' }) })), 'TC-ARGUMENT-TYPE new FluxDelivery(interval): "5m" is a string', 'Duration.minutes(5)'],
  ['no properties', (app) => void new TenantCluster(app, 'acme', undefined), '[acme] TC-ARGUMENT-MISSING props: '],
  ['memory as a number', pooled(() => ({ machine: machine({ memory: 16 }) })), 'TC-ARGUMENT-TYPE new KubevirtMachine(memory): 16 is a number', 'Size.gibibytes(4)'],
  ['memory as text', pooled(() => ({ machine: machine({ memory: '16Gi' }) })), 'TC-ARGUMENT-TYPE new KubevirtMachine(memory): "16Gi" is a string', 'Size.gibibytes(4)'],
  ['a CPU count from the environment', pooled(() => ({ machine: machine({ cpu: '4' }) })), 'TC-ARGUMENT-TYPE new KubevirtMachine(cpu): "4" is a string', 'leave out the quotes'],
  ['a root disk as text', pooled(() => ({ machine: machine({ rootDisk: 'ubuntu' }) })), 'TC-ARGUMENT-TYPE new KubevirtMachine(rootDisk): "ubuntu" is a string', 'RootDisk.'],
  ['an image that is not set', pooled(() => ({ machine: machine({ rootDisk: RootDisk.containerDisk({ image: undefined }) }) })), 'TC-ARGUMENT-MISSING RootDisk.containerDisk(image): '],
  ['machines without properties', pooled(() => ({ machine: new KubevirtMachine() })), 'TC-ARGUMENT-MISSING new KubevirtMachine(props): '],
  ['no machine', pooled(() => ({ machine: undefined })), '[acme/general] TC-ARGUMENT-MISSING machine: ', 'new KubevirtMachine(…)'],
  ['no size', pooled(() => ({ size: undefined })), '[acme/general] TC-ARGUMENT-MISSING size: ', 'PoolSize.'],
  ['a size as a number', pooled(() => ({ size: 3 })), '[acme/general] TC-ARGUMENT-TYPE size: 3 is a number', 'PoolSize.'],
  ['a size as an object', pooled(() => ({ size: { minimum: 1, maximum: 3 } })), '[acme/general] TC-ARGUMENT-TYPE size: an object with minimum, maximum is given'],
  ['a size that is no number', pooled(() => ({ size: PoolSize.fixed(NaN) })), 'TC-ARGUMENT-TYPE PoolSize.fixed(count): NaN is not a finite number'],
  ['a limit as text', pooled(() => ({ healthCheck: HealthCheck.of({ maxUnhealthy: '150%' }) })), 'TC-ARGUMENT-TYPE HealthCheck.of(maxUnhealthy): "150%" is a string', 'MachineCount.'],
  ['a surge as a number', pooled(() => ({ rollout: RolloutStrategy.rollingUpdate({ maxSurge: 1 }) })), 'TC-ARGUMENT-TYPE RolloutStrategy.rollingUpdate(maxSurge): 1 is a number', 'MachineCount.'],
  ['a count as text', pooled(() => ({ rollout: RolloutStrategy.rollingUpdate({ maxSurge: MachineCount.absolute('1') }) })), 'TC-ARGUMENT-TYPE MachineCount.absolute(count): "1" is a string'],
  ['a timeout as a number', pooled(() => ({ nodeDrainTimeout: 600 })), '[acme/general] TC-ARGUMENT-TYPE nodeDrainTimeout: 600 is a number', 'Duration.minutes(5)'],
  ['a taint as kubectl takes it', pooled(() => ({ taints: ['a=b:NoSchedule'] })), '[acme/general] TC-ARGUMENT-TYPE taints[0]: "a=b:NoSchedule" is a string', 'effect, key, value'],
  ['a taint that is null', pooled(() => ({ taints: [null] })), '[acme/general] TC-ARGUMENT-MISSING taints[0]: it is null'],
  ['an effect with a slip', pooled(() => ({ taints: [{ key: 'a', effect: 'NoSchedul' }] })), '[acme/general] TC-ARGUMENT-TYPE taints[0].effect: "NoSchedul" is no TaintEffect', 'did you mean TaintEffect.NO_SCHEDULE?'],
  ['a list of taints that is an object', pooled(() => ({ taints: {} })), '[acme/general] TC-ARGUMENT-TYPE taints: an empty object is given'],
  ['a label as a number', pooled(() => ({ labels: { tier: 1 } })), '[acme/general] TC-ARGUMENT-TYPE labels.tier: 1 is a number'],
  ['labels as a Map', pooled(() => ({ labels: new Map([['tier', 'a']]) })), '[acme/general] TC-ARGUMENT-TYPE labels: a Map is given', 'Object.fromEntries(…)'],
  ['labels that are not there yet', tenant(() => ({ labels: Promise.resolve({ tier: 'a' }) })), '[acme] TC-ARGUMENT-TYPE labels: a Promise is given', 'await'],
  ['labels as a Set', tenant(() => ({ namespaceLabels: new Set(['tier']) })), '[acme] TC-ARGUMENT-TYPE namespaceLabels: a Set is given', 'names and values in braces'],
  ['labels as a Date', tenant(() => ({ labels: new Date(0) })), '[acme] TC-ARGUMENT-TYPE labels: a Date is given'],
  ['an error in place of labels', tenant(() => ({ labels: new Error('no labels') })), '[acme] TC-ARGUMENT-TYPE labels: an Error is given'],
  ['options that are not there yet', tenant(() => ({ delivery: new FluxDelivery(Promise.resolve({ interval: '5m' })) })), 'TC-ARGUMENT-TYPE new FluxDelivery(props): a Promise is given', 'await'],
  ['an effect that is an object without a prototype', pooled(() => ({ taints: [{ key: 'a', effect: Object.create(null) as unknown }] })), '[acme/general] TC-ARGUMENT-TYPE taints[0].effect: an empty object is no TaintEffect'],
  ['a token where there is none', tenant(() => ({ token: 'S3cret' })), '[acme] TC-ARGUMENT-UNKNOWN token: TenantClusterProps has no such property, and its value would be ignored'],
  ['an addon by its name', added(() => 'metrics-server'), '[acme] TC-ARGUMENT-TYPE addAddon(addon): "metrics-server" is a string'],
  ['an addon as a class', added(() => MetricsServer), '[acme] TC-ARGUMENT-TYPE addAddon(addon): the class MetricsServer is given', 'new MetricsServer(…)'],
  ['no addon', added(() => undefined), '[acme] TC-ARGUMENT-MISSING addAddon(addon): '],
  ['an option of an addon that other charts have', added(() => new CertManager({ version: 'v1.18.2' })), 'TC-ARGUMENT-UNKNOWN new CertManager(version): CertManagerProps has no such property', 'did you mean chartVersion?'],
  ['a pool without a name', (app) => void new TenantCluster(app, 'acme', props()).addNodePool(undefined, pool()), '[acme] TC-ARGUMENT-MISSING addNodePool(id): '],
])('%s is one problem', (_, page, ...texts) => {
  const found = said(page);

  expect(found).toHaveLength(1);
  texts.forEach((text) => expect(found[0]).toContain(text));
});

test.each<[name: string, page: Page, text: string]>([
  ['an empty namespace of a pod network', tenant(() => ({ cni: new Cilium({ namespace: '' }) })), 'TC-DELIVERY-RELEASE-NAMESPACE charts["cilium"].namespace: "" is not a DNS label'],
  ['an empty name of an addon', added(() => new CertManager({ name: '' })), 'TC-ADDON-NAME'],
  ['more replicas than a field can hold', tenant(() => ({ cni: new Cilium({ operatorReplicas: 1e21 }) })), 'TC-ADDON-COUNT cilium.operatorReplicas: 1e+21 is not a number of replicas'],
])('%s is refused', (_, page, text) => {
  expect(said(page).join('\n')).toContain(text);
});

test('one error has all that is wrong with the arguments of a call', () => {
  const page = tenant(() => ({ kubernetesVersion: 1.35, namespace: undefined, podCIDRs: [], podCidrs: 5, serviceCidrs: ['10.95.0.1/16', 7, { a: 1 }] }));

  expect(said(page).map((line) => line.split(': ')[0])).toEqual([
    '[acme] TC-ARGUMENT-TYPE kubernetesVersion', '[acme] TC-ARGUMENT-MISSING namespace', '[acme] TC-ARGUMENT-TYPE podCidrs',
    '[acme] TC-ARGUMENT-TYPE serviceCidrs[1]', '[acme] TC-ARGUMENT-TYPE serviceCidrs[2]', '[acme] TC-ARGUMENT-UNKNOWN podCIDRs',
  ]);
});

test('the stack of the error begins at the call', () => {
  const stackOf = (call: () => unknown): string => {
    try {
      return String(call());
    } catch (error) {
      return (error as Error).stack!.split('\n')[1];
    }
  };

  expect(stackOf(() => new KubevirtMachine({}))).toContain('pages.test.ts');
  expect(stackOf(() => PoolSize.fixed(NaN))).toContain('pages.test.ts');
  expect(stackOf(() => new TenantCluster(Testing.app(), 'acme', props()).findAddon(5))).toContain('pages.test.ts');
});

test('an object that could not be created has run no code, and its scope has no child', () => {
  const app = Testing.app();

  expect(() => new TenantCluster(app, 'acme', props({ namespace: 5 }))).toThrow('TC-ARGUMENT-TYPE namespace');
  expect(app.node.children).toEqual([]);
});

test('null is what is left out, where something may be', () => {
  expect(said(tenant(() => ({ podCidrs: null, labels: null })))).toEqual([]);
});

test('a class of the user\'s may take more than the one that it extends', () => {
  class Tenant extends TenantCluster {
    public constructor(app: App, id: string, more: TenantClusterProps & { readonly team: string }) {
      super(app, id, more);
      this.addNodePool('general', pool({ labels: { team: more.team } }));
    }
  }

  expect(said((app) => void new Tenant(app, 'acme', { ...props(), team: 'a' }))).toEqual([]);
  expect(said((app) => void new Tenant(app, 'acme', { ...props({ kubernetesVersion: 5 }), team: 'a' }))).toEqual([
    expect.stringMatching(/^\[acme\] TC-ARGUMENT-TYPE kubernetesVersion: /),
  ]);
});

test('an app and a static method have no path', () => {
  expect(said(() => new GitOpsApp({ outdir: 5, layot: 'x' }))).toEqual([
    expect.stringMatching(/^TC-ARGUMENT-TYPE new GitOpsApp\(outdir\): 5 is a number/),
    expect.stringMatching(/^TC-ARGUMENT-UNKNOWN new GitOpsApp\(layot\): .*did you mean layout\?/),
  ]);
  expect(said(() => Plan.between('a', []))).toEqual([expect.stringMatching(/^TC-ARGUMENT-TYPE Plan\.between\(before\): "a" is a string/)]);
  expect(said(() => new TenantCluster(undefined, 'acme', props()))).toEqual([expect.stringMatching(/^TC-ARGUMENT-MISSING new TenantCluster\(scope\): it is undefined/)]);
});

test.each<[name: string, options: object, text: string]>([
  ['a wrong type', { podCidrs: 5 }, 'TC-ARGUMENT-TYPE podCidrs: 5 is a number'],
  ['a slip in a name', { podCIDRs: [] }, 'TC-ARGUMENT-UNKNOWN podCIDRs: TenantClusterProps has no such property'],
])('a profile of a fleet that returns %s names the cluster', (_, options, text) => {
  const { namespace, kubernetesVersion, ...rest } = props();
  const profiles = { plain: { props: () => ({ ...rest, ...options }), populate: () => undefined } };
  const clusters = ClusterList.of([{ name: 'a', namespace, kubernetesVersion }]);

  expect(() => new Fleet(Testing.app(), 'fleet', { clusters, profiles })).toThrow(`profile "plain" fails for cluster "a" (clusters[0]): ${text}`);
});

test('a profile of a fleet must return properties', () => {
  const profiles = { plain: { props: () => undefined, populate: () => undefined } };
  const clusters = ClusterList.of([{ name: 'a', kubernetesVersion: '1.35.4' }]);

  expect(() => new Fleet(Testing.app(), 'fleet', { clusters, profiles })).toThrow('fails for cluster "a" (clusters[0]): TC-ARGUMENT-MISSING cni: it is required');
});

test('classes of the source tree check nothing, so that a new property reaches them', () => {
  const options = { chart: 'podinfo', chartVersion: '6.9.2', repository: 'https://example.com', namespace: 'podinfo', graphics: true };

  expect(() => new HelmAddon('podinfo', options)).toThrow('TC-ARGUMENT-UNKNOWN new HelmAddon(graphics)');
  expect(new source.HelmAddon('podinfo', options)).toBeInstanceOf(HelmAddon);
});

test('of other copies of cdk8s, what they can do counts', () => {
  const memory = Object.create({ toMebibytes: () => 8192, toKibibytes: () => 8 * 1024 * 1024 }) as Size;

  expect(said(pooled(() => ({ machine: machine({ memory }) })))).toEqual([]);
});
