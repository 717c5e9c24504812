import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { ApiObject, App, Chart, JsonPatch, Size, Testing } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { CertManager } from '../../../src/constructs/addons/catalog/cert-manager';
import { MetricsServer } from '../../../src/constructs/addons/catalog/metrics-server';
import { Calico } from '../../../src/constructs/addons/cni/calico';
import { Cilium } from '../../../src/constructs/addons/cni/cilium';
import { Cni } from '../../../src/constructs/addons/cni/cni';
import { Flannel } from '../../../src/constructs/addons/cni/flannel';
import { HelmAddon } from '../../../src/constructs/addons/helm-addon';
import { ManifestAddon } from '../../../src/constructs/addons/manifest-addon';
import { Addon, AddonCapability } from '../../../src/constructs/contracts/addon';
import { Delivery } from '../../../src/constructs/contracts/delivery/delivery';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { KamajiKubeProxy } from '../../../src/constructs/control-planes/kamaji/addons';
import { KamajiControlPlane } from '../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { ArgoCdDelivery } from '../../../src/constructs/deliveries/argo-cd/argo-cd-delivery';
import { ClusterResourceSetDelivery } from '../../../src/constructs/deliveries/cluster-resource-set/cluster-resource-set-delivery';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { HelmChartProxyDelivery } from '../../../src/constructs/deliveries/helm-chart-proxy/helm-chart-proxy-delivery';
import { KubevirtInfrastructure } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../../src/constructs/infrastructures/kubevirt/root-disk';
import { GitOpsApp } from '../../../src/constructs/repository/gitops-app';
import { TenantCluster } from '../../../src/constructs/tenant/tenant-cluster';
import { TenantClusterProps } from '../../../src/constructs/tenant/tenant-cluster-props';
import { exampleCluster, Manifest } from '../../support/clusters';
import { problemsOf } from '../../support/problems';

const GIT = { repoUrl: 'https://git.example.com/fleet', targetRevision: 'main', path: 'clusters' };

const MACHINE = new KubevirtMachine({ cpu: 2, memory: Size.gibibytes(4), rootDisk: RootDisk.containerDisk({ image: 'quay.io/capk/ubuntu-2404-container-disk:v1.34.1' }) });

const APP = { chart: 'app', repository: 'https://charts.example.com', chartVersion: '1.0.0', namespace: 'app' };

const NEEDS_CERTIFICATES = new HelmAddon('app', { ...APP, requires: [AddonCapability.CERTIFICATES] });

function cluster(props: Partial<TenantClusterProps>, app: App = Testing.app(), id = 'acme'): TenantCluster {
  return exampleCluster(app, {
    controlPlane: new KamajiControlPlane({ dataStore: 'default' }), infrastructure: new KubevirtInfrastructure(), bootstrap: undefined, ...props,
  }, id);
}

function kinds(tenant: TenantCluster): string[] {
  return tenant.toJson().map(({ kind }: Manifest) => kind);
}

function withWorkloads(tenant: TenantCluster): TenantCluster {
  new kplus.Namespace(tenant.workloads, 'team-a', { metadata: { name: 'team-a' } });
  new kplus.ConfigMap(tenant.workloads, 'settings', { metadata: { name: 'settings', namespace: 'team-a' }, data: { colour: 'blue' } });
  return tenant;
}

describe('constructs in workloads reach the tenant', () => {
  test.each<[string, Delivery, string]>([
    ['Flux', new FluxDelivery(), 'ClusterResourceSet'],
    ['HelmChartProxy', new HelmChartProxyDelivery(), 'ClusterResourceSet'],
    ['ClusterResourceSet', new ClusterResourceSetDelivery(), 'ClusterResourceSet'],
    ['Argo CD', new ArgoCdDelivery(), 'ClusterResourceSet'],
  ])('by %s', (_, delivery, kind) => {
    const objects: Manifest[] = withWorkloads(cluster({ delivery })).toJson();
    const carrier = objects.find((object) => object.kind === kind)!;
    const names = carrier.spec.resources.map(({ name }: Manifest) => name);
    const text = objects.filter((object) => names.includes(object.metadata.name)).map(({ data }) => Object.values(data).join('\n')).join('\n');
    expect(text).toContain('name: team-a');
    expect(text).toContain('colour: blue');
    // Objects for the tenant are none of the management cluster.
    expect(objects.filter(({ metadata }) => ['team-a', 'settings'].includes(metadata.name))).toEqual([]);
  });

  test.each<[string, Delivery, string, (object: Manifest) => string]>([
    ['Flux', new FluxDelivery({ manifestSource: { name: 'fleet', path: 'clusters' } }), 'Kustomization', ({ spec }) => spec.path],
    ['Argo CD', new ArgoCdDelivery({ manifestSource: GIT }), 'Application', ({ spec }) => spec.source.path],
  ])('by %s from files that a GitOpsApp writes', (_, delivery, kind, pathOf) => {
    const outdir = fs.mkdtempSync(path.join(os.tmpdir(), 'gitops-'));
    try {
      const app = new GitOpsApp({ outdir, quiet: true });
      const tenant = withWorkloads(cluster({ delivery }, app));
      app.synth();

      const file = path.join(outdir, 'clusters/tenant-acme/acme/delivered/workloads/manifests.yaml');
      expect(fs.readFileSync(file, 'utf8')).toContain('colour: blue');
      const [reader] = tenant.toJson().filter((object: Manifest) => object.kind === kind);
      expect(pathOf(reader).replace(/^\.\//, '')).toBe('clusters/clusters/tenant-acme/acme/delivered/workloads');
    } finally {
      fs.rmSync(outdir, { recursive: true, force: true });
    }
  });

  test('a chart that was asked for and stayed empty makes nothing', () => {
    const tenant = cluster({ delivery: new FluxDelivery() });
    expect(tenant.workloads.node.findAll()).toHaveLength(1);
    expect(kinds(tenant)).toEqual(kinds(cluster({})));
  });
});

describe('the pod network', () => {
  test('that replaces kube-proxy takes it from the control plane', () => {
    const tenant = cluster({ cni: new Cilium(), delivery: new FluxDelivery() });
    const objects = tenant.toJson();
    expect(objects.find(({ kind }: Manifest) => kind === 'KamajiControlPlane').spec.addons).not.toHaveProperty('kubeProxy');
    expect(objects.find(({ kind }: Manifest) => kind === 'HelmRelease').spec.values).toMatchObject({ kubeProxyReplacement: true });
  });

  test('that does not leaves it there', () => {
    const objects = cluster({ cni: new Flannel(), delivery: new FluxDelivery() }).toJson();
    expect(objects.find(({ kind }: Manifest) => kind === 'KamajiControlPlane').spec.addons.kubeProxy).toEqual({});
  });

  test('that the user installs leaves kube-proxy there, and addons with pods come without waiting for it', () => {
    const tenant = cluster({ cni: Cni.none(), delivery: new FluxDelivery() });
    tenant.addAddon(new MetricsServer());
    const objects = tenant.toJson();
    expect(objects.find(({ kind }: Manifest) => kind === 'KamajiControlPlane').spec.addons.kubeProxy).toEqual({});
    expect(objects.filter(({ kind }: Manifest) => kind === 'HelmRelease').map(({ metadata, spec }: Manifest) => [metadata.name, spec.dependsOn]))
      .toEqual([['acme-metrics-server', undefined]]);
    expect(tenant.addons.map(({ name }) => name)).toEqual(['metrics-server']);
    expect(problemsOf(App.of(tenant) as App)).toEqual([]);
  });

  test('needs no delivery if the user installs it', () => {
    expect(problemsOf(App.of(cluster({ cni: Cni.none(), delivery: undefined })) as App)).toEqual([]);
  });

});

const FLUX = new FluxDelivery();
const KUBE_PROXY = new KamajiControlPlane({ dataStore: 'default', kubeProxy: KamajiKubeProxy.managed() });

test.each<[id: string, what: string, props: Partial<TenantClusterProps>, add: (tenant: TenantCluster) => unknown, text: RegExp]>([
  ['TC-CLUSTER-MANIFEST-APP', 'files that no app writes', { delivery: new FluxDelivery({ manifestSource: { name: 'fleet' } }) }, withWorkloads,
    /^delivery\.manifestSource: .*"clusters\/tenant-acme\/acme\/delivered\/workloads".*make the app a GitOpsApp/],
  ['TC-KAMAJI-KUBE-PROXY', 'kube-proxy beside what replaces it', { cni: new Cilium(), delivery: FLUX, controlPlane: KUBE_PROXY }, () => undefined, /./],
  ['TC-CLUSTER-CNI', 'a pod network as an addon', { delivery: FLUX }, (tenant) => tenant.addAddon(new Flannel()), /^cni: "flannel" .*give it to the cluster as its cni/],
  ['TC-ADDON-EXCLUSIVE', 'two pod networks', { cni: new Calico(), delivery: FLUX }, (tenant) => tenant.addAddon(new Flannel()), /./],
  ['TC-ADDON-REQUIREMENT', 'a capability that no addon provides', { delivery: FLUX }, (tenant) => tenant.addAddon(NEEDS_CERTIFICATES), /./],
  ['TC-CLUSTER-DELIVERY', 'an addon without a delivery', {}, (tenant) => tenant.addAddon(new HelmAddon('app', { ...APP, requires: [] })),
    /^delivery: the cluster has no delivery.*new FluxDelivery\(\)/],
  ['TC-CLUSTER-DELIVERY', 'workloads without a delivery', {}, withWorkloads, /^delivery: the cluster has no delivery/],
])('%s: %s', (id, _, props, add, text) => {
  const tenant = cluster(props);
  add(tenant);
  expect(problemsOf(App.of(tenant) as App)).toMatchObject([{ path: 'acme', id, text: expect.stringMatching(text) }]);
});

describe('addons', () => {
  test('in any order come after what they need', () => {
    const tenant = cluster({ cni: new Cilium(), delivery: new FluxDelivery() });
    tenant.addAddon(new CertManager());
    const releases = tenant.toJson().filter(({ kind }: Manifest) => kind === 'HelmRelease');
    const certManager = releases.find(({ metadata }: Manifest) => metadata.name === 'acme-cert-manager');
    expect(certManager.spec.dependsOn).toEqual([{ name: 'acme-cilium' }]);
    expect(tenant.addons.map(({ name }) => name)).toEqual(['cilium', 'cert-manager']);
  });

  test('of one instance can be given to several clusters', () => {
    const [cni, delivery, addon] = [new Cilium(), new FluxDelivery(), new CertManager()];
    function tenant(app: App, id: string): string {
      const made = cluster({ namespace: `tenant-${id}`, cni, delivery }, app, id);
      made.addAddon(addon);
      return JSON.stringify(made.toJson());
    }
    const app = Testing.app();
    expect([tenant(app, 'one'), tenant(app, 'two')]).toEqual([tenant(Testing.app(), 'one'), tenant(Testing.app(), 'two')]);
  });

  test('write the same on every synthesis', () => {
    const tenant = withWorkloads(cluster({ cni: new Cilium(), delivery: new FluxDelivery() }));
    expect(tenant.toJson()).toEqual(tenant.toJson());
  });

  test('and workloads and pools that come after a synthesis are in the next one', () => {
    const tenant = cluster({ cni: new Cilium(), delivery: new FluxDelivery() });
    tenant.toJson();
    tenant.addAddon(new CertManager());
    tenant.addNodePool('late', { machine: MACHINE, size: PoolSize.fixed(1) });
    const names = withWorkloads(tenant).toJson().map(({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`);
    expect(names).toEqual(expect.arrayContaining(['HelmRelease acme-cert-manager', 'MachineDeployment acme-late', 'ClusterResourceSet acme-workloads']));
  });

  test('in workloads that were begun before the first synthesis reach the tenant whenever they come', () => {
    const tenant = cluster({ delivery: new FluxDelivery() });
    expect(tenant.workloads).toBeDefined();
    tenant.toJson();
    expect(JSON.stringify(withWorkloads(tenant).toJson())).toContain('colour: blue');
  });

  test.each<[string, Delivery, string[]]>([
    ['Flux', new FluxDelivery(), ['HelmRelease']],
    ['HelmChartProxy', new HelmChartProxyDelivery(), ['HelmChartProxy']],
    ['Argo CD', new ArgoCdDelivery(), ['Application']],
  ])('are delivered by %s from the moment on when they are added, and can be patched', (_, delivery, expected) => {
    const tenant = cluster({ delivery });
    const { objects, manifests } = tenant.addAddon(new HelmAddon('app', { ...APP, requires: [] }));
    expect([objects.map(({ kind }) => kind), manifests]).toEqual([expected, undefined]);
    objects[0].addJsonPatch(JsonPatch.add('/metadata/labels/team', 'a'));
    const written = tenant.toJson().find(({ kind }: Manifest) => kind === expected[0]);
    expect(written.metadata.labels.team).toBe('a');
  });

  test('of manifests give their carrier and their own objects', () => {
    class Settings extends ManifestAddon {
      protected define(chart: Chart): void {
        new kplus.ConfigMap(chart, 'settings', { metadata: { name: 'settings', namespace: 'default' } });
      }
    }
    const tenant = cluster({ delivery: new ClusterResourceSetDelivery() });
    const { objects, manifests } = tenant.addAddon(new Settings('settings', { requires: [] }));
    expect(objects.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['ClusterResourceSet acme-settings']);
    new kplus.ConfigMap(manifests!, 'more', { metadata: { name: 'more', namespace: 'default' } });
    expect(tenant.toJson().find(({ metadata }: Manifest) => metadata.name === 'acme-settings.1').data['manifests.yaml']).toContain('name: more');
  });

  test('come in an order that does not depend on that of the calls', () => {
    const text = (...addons: (() => Addon)[]) => {
      const tenant = cluster({ cni: new Cilium(), delivery: new FluxDelivery() });
      expect(tenant.workloads).toBeDefined();
      addons.forEach((addon) => tenant.addAddon(addon()));
      return JSON.stringify(withWorkloads(tenant).toJson());
    };
    const [first, second] = [() => new CertManager(), () => new MetricsServer()];
    expect(text(second, first)).toBe(text(first, second));
  });

  test('are refused with all other problems at once', () => {
    const tenant = cluster({ delivery: new ClusterResourceSetDelivery(), kubernetesVersion: 'latest' });
    tenant.addAddon(NEEDS_CERTIFICATES);
    expect(() => tenant.toJson()).toThrow(/(?=.*TC-CLUSTER-VERSION)(?=.*TC-ADDON-REQUIREMENT)(?=.*TC-DELIVERY-CHART-UNSUPPORTED)/s);
  });
});

describe('the autoscaler', () => {
  test('is there once a pool is autoscaled, however many are', () => {
    const tenant = cluster({});
    tenant.addNodePool('fixed', { machine: MACHINE, size: PoolSize.fixed(1) });
    expect(kinds(tenant).filter((kind) => kind === 'Deployment')).toHaveLength(1);
    tenant.addNodePool('one', { machine: MACHINE, size: PoolSize.between(1, 2) });
    tenant.addNodePool('two', { machine: MACHINE, size: PoolSize.between(0, 2) });
    expect(tenant.toJson().filter(({ kind }: Manifest) => kind === 'Deployment').map(({ metadata }: Manifest) => metadata.name))
      .toEqual(expect.arrayContaining(['acme-cluster-autoscaler', 'acme-cloud-controller-manager']));
  });
});

test('ManifestAddon and workloads need no pod network when they say so', () => {
  class Settings extends ManifestAddon {
    public constructor() {
      super('settings', { requires: [] });
    }

    public override define(tenant: Parameters<ManifestAddon['define']>[0]): void {
      new kplus.ConfigMap(tenant, 'settings', { metadata: { name: 'settings', namespace: 'default' }, data: { a: 'b' } });
    }
  }
  const tenant = cluster({ delivery: new ClusterResourceSetDelivery() });
  tenant.addAddon(new Settings());
  expect(kinds(tenant)).toContain('ClusterResourceSet');
});

describe('what everybody could read', () => {
  test('TC-DELIVERY-SECRET: a Secret with content is no better in the management cluster', () => {
    const tenant = cluster({});
    new kplus.Secret(new Chart(tenant, 'Database', { namespace: tenant.namespace }), 'db', { metadata: { name: 'db' }, stringData: { password: 'hunter2' } });
    const found = problemsOf(App.of(tenant) as App);
    expect(found).toMatchObject([{ path: 'acme', id: 'TC-DELIVERY-SECRET' }]);
    expect(found[0].text).toMatch(/^the Secret "db" in namespace "\S+" has content \(password\).*made in the management cluster/);
  });

  test('a Secret without content is accepted', () => {
    const tenant = cluster({});
    new kplus.Secret(new Chart(tenant, 'Database', { namespace: tenant.namespace }), 'db', { metadata: { name: 'db' } });
    expect(problemsOf(App.of(tenant) as App)).toEqual([]);
  });
});

describe('an object', () => {
  test.each<[string, object, string]>([
    ['TC-ADMIT-FIELD-METADATA', { metadata: { name: 'My_Config', namespace: 'a' } }, 'metadata.name of acme/workloads/a: "My_Config"'],
    ['TC-ADMIT-FIELD-METADATA', { metadata: { name: 'a', namespace: 'A' } }, 'metadata.namespace of acme/workloads/a: "A"'],
    ['TC-ADMIT-FIELD-METADATA', { metadata: { name: 'a', namespace: 'a', labels: { a: 'b c' } } }, 'metadata.labels.a of acme/workloads/a: "b c"'],
    ['TC-ADMIT-KUBERNETES-DATA-KEY', { metadata: { name: 'a', namespace: 'a' }, data: { 'bad key': '' } }, 'data["bad key"] of acme/workloads/a: "bad key"'],
  ])('%s: %j', (id, props, text) => {
    const tenant = cluster({ delivery: new ClusterResourceSetDelivery() });
    new ApiObject(tenant.workloads, 'a', { apiVersion: 'v1', kind: 'ConfigMap', ...props });
    expect(problemsOf(App.of(tenant) as App)).toMatchObject([{ id, text: expect.stringContaining(text) }]);
  });

  const DEFINE = { metadata: { name: 'team-a' } };

  test('TC-DELIVERY-MANIFEST-TWICE: of an addon is in workloads too', () => {
    class Team extends ManifestAddon {
      protected define(chart: Chart): void {
        new kplus.Namespace(chart, 'a', DEFINE);
      }
    }
    const tenant = withWorkloads(cluster({ delivery: new FluxDelivery() }));
    tenant.addAddon(new Team('team', { requires: [] }));
    expect(problemsOf(App.of(tenant) as App)).toMatchObject([{ id: 'TC-DELIVERY-MANIFEST-TWICE', text: expect.stringContaining('the Namespace "team-a" is in manifests["team"] too') }]);
  });

  test('TC-DELIVERY-MANIFEST-TWICE: is a namespace that an addon labels', () => {
    const tenant = cluster({ cni: new Flannel(), delivery: new FluxDelivery() });
    new kplus.Namespace(tenant.workloads, 'flannel', { metadata: { name: 'kube-flannel' } });
    expect(problemsOf(App.of(tenant) as App)).toMatchObject([{ id: 'TC-DELIVERY-MANIFEST-TWICE', text: expect.stringContaining('manifests["namespaces"]') }]);
  });
});

describe('an addon', () => {
  test('of a name that cannot be used is told so once, and what else is wrong with it all the same', () => {
    const tenant = cluster({ cni: new Flannel(), delivery: new FluxDelivery() });
    tenant.addAddon(new HelmAddon('My_App', { chart: 'podinfo', repository: 'ghcr.io/stefanprodan/charts', chartVersion: '6.9.0', namespace: 'apps' }));
    expect(problemsOf(App.of(tenant) as App).map(({ id, text }) => `${id} ${text.split(':')[0]}`).sort()).toEqual([
      'TC-ADDON-NAME name', 'TC-DELIVERY-REPOSITORY charts["my-app"].repository',
    ]);
  });
});
