import { ApiObject, App, JsonPatch, Size, Testing } from 'cdk8s';
import { CertManager } from '../../src/addons/catalog/cert-manager';
import { MetricsServer } from '../../src/addons/catalog/metrics-server';
import { Cilium } from '../../src/addons/cni/cilium';
import { HelmAddon } from '../../src/addons/helm-addon';
import { HealthCheck } from '../../src/cluster/node-pool/health-check';
import { MachineCount } from '../../src/cluster/node-pool/machine-count';
import { PoolSize } from '../../src/cluster/node-pool/pool-size';
import { RolloutStrategy } from '../../src/cluster/node-pool/rollout-strategy';
import { FluxDelivery } from '../../src/flux/flux-delivery';
import { GitOpsApp } from '../../src/gitops/gitops-app';
import { KamajiControlPlane } from '../../src/kamaji/kamaji-control-plane';
import { KubevirtCsiDriver } from '../../src/kubevirt/csi-driver/kubevirt-csi-driver';
import { KubevirtInfrastructure } from '../../src/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../src/kubevirt/kubevirt-machine';
import { RootDisk } from '../../src/kubevirt/root-disk';
import { Plan } from '../../src/plan/plan';
import { NodePool } from '../../src/tenant-cluster/node-pool';
import { TenantCluster } from '../../src/tenant-cluster/tenant-cluster';
import { TenantClusterProps } from '../../src/tenant-cluster/tenant-cluster-props';
import { problemsOf, ReportedProblem } from '../support/problems';

// What JavaScript, a `!` behind a variable of the environment, and objects that a program has read bring: no compiler sees it.
const given = (value: unknown): any => value;

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

function machine(changes: object = {}): KubevirtMachine {
  const rootDisk = RootDisk.containerDisk({ image: 'quay.io/capk/ubuntu-2404-container-disk:v1.35.4' });
  return new KubevirtMachine({ cpu: 4, memory: Size.gibibytes(8), rootDisk, ...changes });
}

function pool(changes: object = {}) {
  return { size: PoolSize.fixed(2), machine: machine(), ...changes };
}

type Page = (app: App) => void;

const tenant = (changes: object): Page => (app) => void new TenantCluster(app, 'acme', props(changes));
const pooled = (changes: () => object): Page => (app) => void new TenantCluster(app, 'acme', props()).addNodePool('general', given(pool(changes())));
const added = (addon: () => unknown): Page => (app) => void new TenantCluster(app, 'acme', props()).addAddon(given(addon()));

function said(page: Page): string[] {
  const app = Testing.app();
  page(app);
  return problemsOf(app).map(({ path, id, text }: ReportedProblem) => `${path} ${id} ${text}`);
}

test('the page is right as it is', () => {
  expect(said((app) => void new TenantCluster(app, 'acme', props()).addNodePool('general', pool()))).toEqual([]);
});

test.each<[name: string, page: Page, ...texts: string[]]>([
  ['a variable that is not set', tenant({ kubernetesVersion: undefined }), 'acme TC-ARGUMENT-MISSING kubernetesVersion: it is undefined', 'a variable that is not set?'],
  ['a version that YAML read as a number', tenant({ kubernetesVersion: 1.35 }), 'acme TC-ARGUMENT-TYPE kubernetesVersion: 1.35 is a number', 'put it in quotes'],
  ['a namespace that is not set', tenant({ namespace: undefined }), 'acme TC-ARGUMENT-MISSING namespace: '],
  ['one range in place of a list', tenant({ podCidrs: '10.0.0.0/16' }), 'acme TC-ARGUMENT-TYPE podCidrs: "10.0.0.0/16" is a string', 'square brackets'],
  ['a property with a slip in its name', tenant({ podCIDRs: ['10.0.0.0/16'] }), 'acme TC-ARGUMENT-UNKNOWN podCIDRs: TenantClusterProps has no such property', 'did you mean podCidrs?'],
  ['a class without new', tenant({ cni: Cilium }), 'acme TC-ARGUMENT-TYPE cni: the class Cilium is given', 'new Cilium(…)'],
  ['a name in place of an object', tenant({ cni: 'cilium' }), 'acme TC-ARGUMENT-TYPE cni: "cilium" is a string', 'new Calico(…)'],
  ['no pod network', tenant({ cni: undefined }), 'acme TC-ARGUMENT-MISSING cni: ', 'new Cilium(…)'],
  ['a delivery by its name', tenant({ delivery: 'flux' }), 'acme TC-ARGUMENT-TYPE delivery: "flux" is a string', 'new FluxDelivery(…)'],
  ['an object in place of a control plane', tenant({ controlPlane: { replicas: 2 } }), 'acme TC-ARGUMENT-TYPE controlPlane: an object with replicas is given', 'new KamajiControlPlane(…)'],
  ['an infrastructure in place of a control plane', tenant({ controlPlane: new KubevirtInfrastructure() }), 'acme TC-ARGUMENT-TYPE controlPlane: a KubevirtInfrastructure is given'],
  ['no infrastructure', tenant({ infrastructure: undefined }), 'acme TC-ARGUMENT-MISSING infrastructure: ', 'new KubevirtInfrastructure(…)'],
  ['a switch from the environment', tenant({ decommission: 'false' }), 'acme TC-ARGUMENT-TYPE decommission: "false" is a string', 'true or false'],
  ['a switch within a list', tenant({ infrastructure: new KubevirtInfrastructure({ csiDriver: KubevirtCsiDriver.of({ image: 'registry.example.com/csi:1.0' }), storageClasses: [{ name: 'a', isDefault: given('false') }] }) }),
    'acme TC-ARGUMENT-TYPE infrastructure.storageClasses[0].isDefault: "false" is a string'],
  ['an interval as text', tenant({ delivery: new FluxDelivery({ interval: given('5m') }) }), 'acme TC-ARGUMENT-TYPE delivery.interval: "5m" is a string', 'Duration.minutes(5)'],
  ['no properties', (app) => void new TenantCluster(app, 'acme', given(undefined)), 'acme TC-ARGUMENT-MISSING props: '],
  ['memory as a number', pooled(() => ({ machine: machine({ memory: 16 }) })), 'acme/general TC-ARGUMENT-TYPE machine.memory: 16 is a number', 'Size.gibibytes(4)'],
  ['memory as text', pooled(() => ({ machine: machine({ memory: '16Gi' }) })), 'acme/general TC-ARGUMENT-TYPE machine.memory: "16Gi" is a string', 'Size.gibibytes(4)'],
  ['a CPU count from the environment', pooled(() => ({ machine: machine({ cpu: '4' }) })), 'acme/general TC-ARGUMENT-TYPE machine.cpu: "4" is a string', 'leave out the quotes'],
  ['a root disk as text', pooled(() => ({ machine: machine({ rootDisk: 'ubuntu' }) })), 'acme/general TC-ARGUMENT-TYPE machine.rootDisk: "ubuntu" is a string', 'RootDisk.'],
  ['an image that is not set', pooled(() => ({ machine: machine({ rootDisk: RootDisk.containerDisk({ image: given(undefined) }) }) })), 'acme/general TC-ARGUMENT-MISSING machine.rootDisk.image: '],
  ['machines without properties', pooled(() => ({ machine: new (given(KubevirtMachine))() })), 'acme/general TC-ARGUMENT-MISSING machine: '],
  ['no machine', pooled(() => ({ machine: undefined })), 'acme/general TC-ARGUMENT-MISSING machine: ', 'new KubevirtMachine(…)'],
  ['no size', pooled(() => ({ size: undefined })), 'acme/general TC-ARGUMENT-MISSING size: ', 'PoolSize.'],
  ['a size as a number', pooled(() => ({ size: 3 })), 'acme/general TC-ARGUMENT-TYPE size: 3 is a number', 'PoolSize.'],
  ['a size as an object', pooled(() => ({ size: { minimum: 1, maximum: 3 } })), 'acme/general TC-ARGUMENT-TYPE size: an object with minimum, maximum is given'],
  ['a size that is no number', pooled(() => ({ size: PoolSize.fixed(NaN) })), 'acme/general TC-ARGUMENT-TYPE size: NaN is not a finite number'],
  ['a limit as text', pooled(() => ({ healthCheck: HealthCheck.of({ maxUnhealthy: given('150%') }) })), 'acme/general TC-ARGUMENT-TYPE healthCheck.maxUnhealthy: "150%" is a string', 'MachineCount.'],
  ['a surge as a number', pooled(() => ({ rollout: RolloutStrategy.rollingUpdate({ maxSurge: given(1) }) })), 'acme/general TC-ARGUMENT-TYPE rollout.maxSurge: 1 is a number', 'MachineCount.'],
  ['a count as text', pooled(() => ({ rollout: RolloutStrategy.rollingUpdate({ maxSurge: MachineCount.absolute(given('1')) }) })), 'acme/general TC-ARGUMENT-TYPE rollout.maxSurge: "1" is a string'],
  ['a timeout as a number', pooled(() => ({ nodeDrainTimeout: 600 })), 'acme/general TC-ARGUMENT-TYPE nodeDrainTimeout: 600 is a number', 'Duration.minutes(5)'],
  ['a taint as kubectl takes it', pooled(() => ({ taints: ['a=b:NoSchedule'] })), 'acme/general TC-ARGUMENT-TYPE taints[0]: "a=b:NoSchedule" is a string', 'effect, key, value'],
  ['a taint that is null', pooled(() => ({ taints: [null] })), 'acme/general TC-ARGUMENT-MISSING taints[0]: it is null'],
  ['an effect with a slip', pooled(() => ({ taints: [{ key: 'a', effect: 'NoSchedul' }] })), 'acme/general TC-ARGUMENT-TYPE taints[0].effect: "NoSchedul" is no TaintEffect', 'did you mean TaintEffect.NO_SCHEDULE?'],
  ['a list of taints that is an object', pooled(() => ({ taints: {} })), 'acme/general TC-ARGUMENT-TYPE taints: an empty object is given'],
  ['a label as a number', pooled(() => ({ labels: { tier: 1 } })), 'acme/general TC-ARGUMENT-TYPE labels.tier: 1 is a number'],
  ['labels as a Map', pooled(() => ({ labels: new Map([['tier', 'a']]) })), 'acme/general TC-ARGUMENT-TYPE labels: a Map is given', 'Object.fromEntries(…)'],
  ['labels that are not there yet', tenant({ labels: Promise.resolve({ tier: 'a' }) }), 'acme TC-ARGUMENT-TYPE labels: a Promise is given', 'await'],
  ['labels as a Set', tenant({ namespaceLabels: new Set(['tier']) }), 'acme TC-ARGUMENT-TYPE namespaceLabels: a Set is given', 'names and values in braces'],
  ['labels as a Date', tenant({ labels: new Date(0) }), 'acme TC-ARGUMENT-TYPE labels: a Date is given'],
  ['an error in place of labels', tenant({ labels: new Error('no labels') }), 'acme TC-ARGUMENT-TYPE labels: an Error is given'],
  ['options that are not there yet', tenant({ delivery: new FluxDelivery(given(Promise.resolve({ interval: '5m' }))) }), 'acme TC-ARGUMENT-TYPE delivery: a Promise is given', 'await'],
  ['an effect that is an object without a prototype', pooled(() => ({ taints: [{ key: 'a', effect: Object.create(null) as unknown }] })), 'acme/general TC-ARGUMENT-TYPE taints[0].effect: an empty object is no TaintEffect'],
  ['a token where there is none', tenant({ token: 'S3cret' }), 'acme TC-ARGUMENT-UNKNOWN token: TenantClusterProps has no such property, and its value would be ignored'],
  ['an addon by its name', added(() => 'metrics-server'), 'acme TC-ARGUMENT-TYPE addAddon(addon): "metrics-server" is a string'],
  ['an addon as a class', added(() => MetricsServer), 'acme TC-ARGUMENT-TYPE addAddon(addon): the class MetricsServer is given', 'new MetricsServer(…)'],
  ['no addon', added(() => undefined), 'acme TC-ARGUMENT-MISSING addAddon(addon): '],
  ['an option of an addon that other charts have', added(() => new CertManager(given({ version: 'v1.18.2' }))), 'acme TC-ARGUMENT-UNKNOWN addAddon(addon.version): CertManagerProps has no such property', 'did you mean chartVersion?'],
  ['a pool without a name', (app) => void new TenantCluster(app, 'acme', props()).addNodePool(given(undefined), pool()), 'acme/undefined TC-ARGUMENT-MISSING id: '],
])('%s is one problem', (_, page, ...texts) => {
  const found = said(page);

  expect(found).toHaveLength(1);
  texts.forEach((text) => expect(found[0]).toContain(text));
});

test.each<[name: string, page: Page, text: string]>([
  ['an empty namespace of a pod network', tenant({ cni: new Cilium({ namespace: '' }) }), 'TC-DELIVERY-RELEASE-NAMESPACE charts["cilium"].namespace: "" is not a DNS label'],
  ['an empty name of an addon', added(() => new CertManager({ name: '' })), 'TC-ADDON-NAME'],
  ['more replicas than a field can hold', tenant({ cni: new Cilium({ operatorReplicas: 1e21 }) }), 'TC-CNI-REPLICAS cilium.operatorReplicas: 1e+21 replicas'],
])('%s is refused', (_, page, text) => {
  expect(said(page).join('\n')).toContain(text);
});

test('what is wrong does not keep the rest from being looked at', () => {
  const found = said((app) => {
    const refused = new TenantCluster(app, 'acme', props({ kubernetesVersion: undefined }));
    refused.addNodePool('general', pool({ machine: machine({ memory: '8Gi' }) }));
    refused.addNodePool('fine', pool());
    const addon = refused.addAddon(new HelmAddon('podinfo', given({ chart: 'podinfo' })));
    expect(addon.objects).toEqual([]);
    new ApiObject(refused.workloads, 'config', { apiVersion: 'v1', kind: 'ConfigMap' });
    refused.controlPlane.addJsonPatch(JsonPatch.add('/spec/replicas', 5));
    expect([`${refused.name}`, refused.podCidrs, refused.nodePools, refused instanceof TenantCluster]).toEqual(['', [], [], true]);
    new NodePool(refused, 'other', pool({ taints: ['a'] }));
    new TenantCluster(app, 'blue', props({ namespace: 'tenant-blue', podCidrs: ['10.0.0.0'] }));
  });

  expect(found.map((line) => line.split(': ')[0])).toEqual([
    'acme TC-ARGUMENT-MISSING kubernetesVersion',
    'acme TC-ARGUMENT-MISSING addAddon(addon.chartVersion)',
    'acme TC-ARGUMENT-MISSING addAddon(addon.namespace)',
    'acme TC-ARGUMENT-MISSING addAddon(addon.repository)',
    'acme/general TC-ARGUMENT-TYPE machine.memory',
    'acme/other TC-ARGUMENT-TYPE taints[0]',
    'blue TC-NETWORK-CIDR podCidrs[0]',
  ]);
});

test('what is optional and wrong is left out, and the rest of the object is looked at', () => {
  expect(said(tenant({ podCidrs: 5, serviceCidrs: ['10.95.0.1/16'] })).map((line) => line.split(': ')[0])).toEqual([
    'acme TC-NETWORK-CIDR serviceCidrs[0]', 'acme TC-ARGUMENT-TYPE podCidrs',
  ]);
});

test('an object that many share is told of by each', () => {
  const shared = new KamajiControlPlane({ replicas: given('2') });
  const found = said((app) => ['a', 'b'].forEach((name) => new TenantCluster(app, name, props({ namespace: `tenant-${name}`, controlPlane: shared }))));

  expect(found.map((line) => line.split(': ')[0])).toEqual(['a TC-ARGUMENT-TYPE controlPlane.replicas', 'b TC-ARGUMENT-TYPE controlPlane.replicas']);
});

test('null is what is left out, where something may be', () => {
  expect(said(tenant({ podCidrs: null, labels: null }))).toEqual([]);
});

test('a class of the user\'s may take more than the one that it extends', () => {
  class Tenant extends TenantCluster {
    public constructor(app: App, id: string, more: TenantClusterProps & { readonly team: string }) {
      super(app, id, more);
      this.addNodePool('general', pool({ labels: { team: more.team } }));
    }
  }

  expect(said((app) => void new Tenant(app, 'acme', { ...props(), team: 'a' }))).toEqual([]);
  expect(said((app) => void new Tenant(app, 'acme', { ...props({ kubernetesVersion: 5 }), team: 'a' })).map((line) => line.split(': ')[0])).toEqual([
    'acme TC-ARGUMENT-TYPE kubernetesVersion',
  ]);
});

test('an app reports on itself', () => {
  const app = new GitOpsApp(given({ outdir: 5, layot: 'x' }));

  expect(() => app.synth()).toThrow(/TC-ARGUMENT-TYPE outdir: 5 is a number.*TC-ARGUMENT-UNKNOWN layot: .*did you mean layout\?/s);
});

test('where no construct can report, an error is thrown', () => {
  expect(() => Plan.between(given('a'), [])).toThrow(/^TC-ARGUMENT-TYPE between\(before\): "a" is a string/);
  expect(() => new TenantCluster(given(undefined), 'acme', props())).toThrow(/^TC-ARGUMENT-MISSING new TenantCluster\(scope\): it is undefined/);
});

test('of other copies of cdk8s, what they can do counts', () => {
  const memory = Object.create({ toMebibytes: () => 8192, toKibibytes: () => 8 * 1024 * 1024 }) as Size;

  expect(said(pooled(() => ({ machine: machine({ memory }) })))).toEqual([]);
});
