import { load } from 'js-yaml';
import { fileOf, placedObjects } from '../../../src/manifests/landscape/placed-objects';
import { ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { minorIn, RouteOptions, routeTo } from '../../../src/manifests/route/route';
import { KubernetesStep, Route } from '../../../src/manifests/route/route-model';
import { routeText } from '../../../src/manifests/route/route-text';

function yaml(...texts: readonly string[]): ManifestObject[] {
  return texts.join('\n---\n').split(/^---$/m).map((text) => load(text) as ManifestObject);
}

interface TenantOptions {
  readonly version?: string;
  readonly labels?: string;
  readonly paused?: boolean;
  readonly gates?: string;
}

/** A tenant of Kamaji with three machines. */
function tenant(name: string, { version = 'v1.34.4', labels = '{}', paused = false, gates = '[]' }: TenantOptions = {}): ManifestObject[] {
  return yaml(`
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: ${name}, namespace: tenant-${name}, labels: ${labels}}
spec:
  paused: ${paused}
  clusterNetwork:
    pods: {cidrBlocks: [10.243.0.0/16]}
    services: {cidrBlocks: [10.95.0.0/16]}
  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KamajiControlPlane, name: ${name}}
  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: KubevirtCluster, name: ${name}}`, `
apiVersion: controlplane.cluster.x-k8s.io/v1alpha2
kind: KamajiControlPlane
metadata: {name: ${name}, namespace: tenant-${name}, labels: {cluster.x-k8s.io/cluster-name: ${name}}}
spec:
  version: ${version}
  replicas: 2
  dataStoreName: default
  apiServer: {extraArgs: ${gates}}
  addons: {coreDNS: {}, konnectivity: {}}`, `
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: ${name}-md-0, namespace: tenant-${name}, labels: {cluster.x-k8s.io/cluster-name: ${name}}}
spec:
  clusterName: ${name}
  replicas: 3
  selector: {matchLabels: {pool: md-0}}
  template:
    metadata: {labels: {pool: md-0}}
    spec:
      clusterName: ${name}
      version: ${version}
      bootstrap: {configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: KubeadmConfigTemplate, name: ${name}-md-0}}
      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: KubevirtMachineTemplate, name: ${name}-md-0}`, `
apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1
kind: KubevirtMachineTemplate
metadata: {name: ${name}-md-0, namespace: tenant-${name}}
spec:
  template:
    spec:
      virtualMachineBootstrapCheck: {checkStrategy: none}
      virtualMachineTemplate:
        spec:
          runStrategy: RerunOnFailure
          template:
            spec:
              domain:
                cpu: {cores: 4}
                memory: {guest: 16Gi}
                devices:
                  disks: [{name: root, disk: {bus: virtio}}]
                  interfaces: [{name: default, bridge: {}}]
              networks: [{name: default, pod: {}}]
              volumes: [{name: root, containerDisk: {image: "registry.example.com/nodes:${version}"}}]`);
}

function kamaji(tag: string): ManifestObject[] {
  return yaml(`
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: kamaji, namespace: kamaji-system}
spec:
  interval: 1h
  install: {remediation: {retries: -1}}
  chart: {spec: {chart: kamaji, version: 26.8.2-edge, sourceRef: {kind: HelmRepository, name: kamaji}}}
  values: {image: {tag: ${tag}}}`);
}

function core(version: string): ManifestObject[] {
  return yaml(`
apiVersion: operator.cluster.x-k8s.io/v1alpha2
kind: CoreProvider
metadata: {name: cluster-api, namespace: capi-system}
spec: {version: ${version}}`);
}

function route(objects: readonly ManifestObject[], options: RouteOptions): Route {
  return routeTo({ objects: placedObjects([fileOf(objects)]).objects }, options);
}

/** The steps in short: component and release, or version, ring and clusters. */
function steps({ steps: all }: Route): string[] {
  return all.map((step) => (step.step === 'component' ? `${step.title} ${step.to}` : [step.version, step.ring, ...step.clusters.map(({ name }) => name)].join(' ').replace('  ', ' ')));
}

const KNOWN = [...kamaji('26.8.2-edge'), ...core('v1.14.2')];

describe('the order', () => {
  test('is minor by minor, with the newest version of each that is known', () => {
    expect(steps(route([...KNOWN, ...tenant('acme')], { to: '1.36' }))).toEqual(['1.35.4 acme', '1.36.3 acme']);
    expect(steps(route([...KNOWN, ...tenant('acme')], { to: '1.36.1', via: ['1.35.9'] }))).toEqual(['1.35.9 acme', '1.36.1 acme']);
  });

  test('lets clusters join where they stand', () => {
    const found = route([...KNOWN, ...tenant('acme'), ...tenant('blue', { version: 'v1.35.2' }), ...tenant('cyan', { version: 'v1.36.0' })], { to: '1.36' });
    expect(steps(found)).toEqual(['1.35.4 acme', '1.36.3 acme blue']);
    expect((found.steps[1] as KubernetesStep).from).toEqual(['1.35.2', '1.35.4']);
    expect(found.arrived.map(({ name }) => name)).toEqual(['cyan']);
    expect(found.left).toEqual([]);
  });

  test('takes a patch that is asked for', () => {
    const objects = [...KNOWN, ...tenant('cyan', { version: 'v1.36.0' }), ...tenant('dawn', { version: 'v1.36.2' })];
    const found = route(objects, { to: '1.36.2' });
    expect([steps(found), found.arrived.map(({ name }) => name)]).toEqual([['1.36.2 cyan'], ['dawn']]);
  });

  test('takes rings one after the other, and the others last', () => {
    const objects = [...KNOWN, ...tenant('acme', { labels: '{ring: main}' }), ...tenant('blue', { labels: '{ring: canary}' }), ...tenant('cyan')];
    expect(steps(route(objects, { to: '1.35', rings: { label: 'ring', names: ['canary', 'main'] } })))
      .toEqual(['1.35.4 canary blue', '1.35.4 main acme', '1.35.4 cyan']);
  });

  test('is for the chosen clusters', () => {
    const found = route([...KNOWN, ...tenant('acme'), ...tenant('blue')], { to: '1.35', isChosen: ({ name }) => name === 'blue' });
    expect(steps(found)).toEqual(['1.35.4 blue']);
  });
});

describe('components', () => {
  test('that limit a minor release come before it, once', () => {
    const found = route([...kamaji('edge-26.2.4'), ...core('v1.12.9'), ...tenant('acme')], { to: '1.36' });
    expect(steps(found)).toEqual(['1.35.4 acme', 'Kamaji 26.5.3-edge', 'Cluster API v1.13.0', '1.36.3 acme']);
  });

  test('name the clusters that must move first', () => {
    const found = route([...core('v1.11.5'), ...tenant('acme'), ...tenant('old', { version: 'v1.29.3' })], { to: '1.37', isChosen: ({ name }) => name === 'acme' });
    expect(found.steps.flatMap((step) => (step.step === 'component' ? [[step.to, step.first]] : []))).toEqual([
      ['v1.12.0', []],
      ['v1.13.0', ['it works with Kubernetes from 1.30 on: raise tenant-old/old first']],
      ['v1.13.6', ['it works with Kubernetes from 1.30 on: raise tenant-old/old first']],
    ]);
  });

  test('without a release that is new enough end the route of the clusters that need them', () => {
    const found = route([...KNOWN, ...tenant('acme', { version: 'v1.35.4' })], { to: '1.37' });
    expect(steps(found)).toEqual(['1.36.3 acme']);
    expect(found.left).toEqual([{
      namespace: 'tenant-acme', name: 'acme', version: 'v1.36.3', why: 'no release of Kamaji up to 26.8.2-edge works with Kubernetes 1.37',
    }]);
  });

  test('whose release is not among the manifests are named', () => {
    expect(route(tenant('acme'), { to: '1.36' }).notes).toEqual([
      'the release of Cluster API is not among the manifests: Kubernetes 1.36 needs v1.13.0 or newer',
      'the release of Kamaji is not among the manifests: Kubernetes 1.36 needs 26.5.3-edge or newer',
    ]);
  });
});

describe('a cluster stays', () => {
  test.each([
    ['paused', tenant('acme', { paused: true }), 'it is paused, and takes no step until it is resumed'],
    ['newer than the target', tenant('acme', { version: 'v1.37.0' }), 'it is newer, and control planes do not go back'],
    ['of a version that is none', tenant('acme', { version: 'stable' }), 'its version "stable" is no release of Kubernetes'],
    ['older than what is known', tenant('acme', { version: 'v1.29.0' }), 'no release of Kubernetes 1.30 is known: name it with --via'],
  ])('%s', (_, objects, why) => {
    const found = route([...KNOWN, ...objects], { to: '1.36' });
    expect([found.steps, found.left.map((left) => left.why)]).toEqual([[], [why]]);
  });
});

describe('a step', () => {
  const found = route([...KNOWN, ...tenant('acme', { gates: '["--feature-gates=PodIndexLabel=true"]' })], { to: '1.36' });

  test('counts the machines of its plan, and the time by timeouts', () => {
    const three = { minimum: 3, maximum: 3 };
    expect(found.steps.map((step) => (step as KubernetesStep).totals.machinesReplaced)).toEqual([three, three]);
  });

  test('names what has to change with it, each time', () => {
    const [first, second] = found.steps.map((step) => (
      (step as KubernetesStep).findings.map(({ rule, objects, message }) => [rule, objects, message])));
    const image = (version: string) => [
      'TC-TRAP-KUBEVIRT-IMAGE-VERSION', ['KubevirtMachineTemplate tenant-acme/acme-md-0'], expect.stringContaining(`must run ${version}`),
    ];
    const gate = ['TC-TRAP-KAMAJI-ARGUMENT', ['KamajiControlPlane tenant-acme/acme'], expect.stringContaining('PodIndexLabel (removed in 1.35)')];
    expect(first).toEqual([gate, image('v1.35.4')]);
    expect(second).toEqual([gate, image('v1.36.3')]);
  });

  test('is a line each', () => {
    expect(routeText(found).split('\n').slice(0, 4)).toEqual([
      'Kubernetes 1.36: 2 commits for 1 cluster, each to be merged when the one before has taken effect; 6 machines are replaced on the way',
      '',
      '1. raise 1 cluster from 1.34.4 to 1.35.4: tenant-acme/acme',
      expect.stringMatching(/^ {3}3 machines are replaced/),
    ]);
  });
});

test('reads versions and minor releases, and nothing else', () => {
  expect(['1.36', 'v1.36', '1.36.3', 'v1.36.3'].map(minorIn)).toEqual([36, 36, 36, 36]);
  expect(['36', '2.1', '1', '1.36.x', '1.036', 'latest', ''].map(minorIn)).toEqual(Array(7).fill(undefined));
});

function certManager(name: string, version: string): ManifestObject[] {
  return yaml(`
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: ${name}-cert-manager, namespace: tenant-${name}}
spec:
  interval: 1h
  targetNamespace: cert-manager
  storageNamespace: cert-manager
  install: {remediation: {retries: -1}}
  chart: {spec: {chart: cert-manager, version: ${version}, sourceRef: {kind: HelmRepository, name: jetstack}}}
  kubeConfig: {secretRef: {name: ${name}-admin-kubeconfig, key: super-admin.svc}}`);
}

test('a chart that is not tested with a version is to be raised before it, at each step that needs it', () => {
  const found = route([...tenant('acme'), ...certManager('acme', 'v1.18.2'), ...tenant('beta'), ...certManager('beta', 'v1.21.1')], { to: '1.36' });
  const charts = (found.steps as readonly KubernetesStep[]).map(({ findings }) => findings.filter(({ rule }) => rule.startsWith('TC-TRAP-CHART')));
  expect(charts.map((chart) => chart.map(({ objects, message, fix }) => [objects[0], message, fix]))).toEqual([
    [['HelmRelease tenant-acme/acme-cert-manager', 'the chart cert-manager v1.18.2 is tested up to Kubernetes 1.33, and "acme" has 1.35', 'raise the chart to 1.19.0 or newer first']],
    [['HelmRelease tenant-acme/acme-cert-manager', 'the chart cert-manager v1.18.2 is tested up to Kubernetes 1.33, and "acme" has 1.36', 'raise the chart to 1.21.0 or newer first']],
  ]);
});
