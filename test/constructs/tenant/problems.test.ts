import { ApiObject, Chart, Size, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { Cilium } from '../../../src/constructs/addons/cni/cilium';
import { Cni } from '../../../src/constructs/addons/cni/cni';
import { WARNINGS } from '../../../src/constructs/app/problems/warnings';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { TenantIsolation } from '../../../src/constructs/tenant/isolation/tenant-isolation';
import { TenantCluster } from '../../../src/constructs/tenant/tenant-cluster';
import { TenantClusterProps } from '../../../src/constructs/tenant/tenant-cluster-props';
import { exampleCluster, poolProps, problemsOfCluster } from '../../support/clusters';
import { problemsOf } from '../../support/problems';
import { ExampleControlPlane, ExampleInfrastructure, ExampleMachine } from '../../support/strategies';

/** A control plane whose API server is published at an address. */
function publishedAt(host: string): ExampleControlPlane {
  return new class extends ExampleControlPlane {
    public override apiServerAddresses() {
      return { published: { host, port: 6443 } };
    }
  }({ endpointManager: 'example' });
}

const CASES: [name: string, props: Partial<TenantClusterProps>, id: string, text: string[]][] = [
  ['name with a dot', { name: 'acme.north' }, 'TC-CLUSTER-NAME', ['name: "acme.north"']],
  ['name that starts with a digit', { name: '1acme' }, 'TC-CLUSTER-NAME', ['"1acme"']],
  ['name that is too long', { name: 'a'.repeat(64) }, 'TC-CLUSTER-NAME', ['63']],
  ['the namespace of the system', { namespace: 'kube-system' }, 'TC-CLUSTER-SYSTEM-NAMESPACE', [
    'namespace: "kube-system" has the prefix "kube-", which Kubernetes reserves', 'such as "tenant-acme"',
  ]],
  ['the namespace of a component', { namespace: 'flux-system' }, 'TC-CLUSTER-SYSTEM-NAMESPACE', ['"flux-system" is no namespace for a tenant: Flux runs there']],
  ['the default namespace', { namespace: 'default' }, 'TC-CLUSTER-SYSTEM-NAMESPACE', ['objects without a namespace end up there', 'needs createNamespace: false']],
  ['the default namespace with isolation', { namespace: 'default', createNamespace: false, isolation: new TenantIsolation() }, 'TC-CLUSTER-SYSTEM-NAMESPACE', ['no isolation']],
  ['namespace with capitals', { namespace: 'Tenant' }, 'TC-CLUSTER-NAMESPACE', ['namespace: "Tenant"']],
  ['version without patch', { kubernetesVersion: '1.35' }, 'TC-CLUSTER-VERSION', ['"1.35"', '1.35.4']],
  ['free text for a version', { kubernetesVersion: 'latest' }, 'TC-CLUSTER-VERSION', ['"latest"']],
  ['old version', { kubernetesVersion: '1.30.2' }, 'TC-CLUSTER-VERSION', ['1.30', '1.33.x, 1.34.x, 1.35.x, 1.36.x']],
  ['label with a bad value', { labels: { team: 'a b' } }, 'TC-CLUSTER-LABEL', ['labels.team']],
  ['label of the library', { labels: { 'cluster.x-k8s.io/cluster-name': 'other' } }, 'TC-CLUSTER-LABEL', ['is set by the library']],
  ['label that makes the KubeVirt provider delete objects', { labels: { 'capk.cluster.x-k8s.io/template-kind': 'extra-resource' } }, 'TC-CLUSTER-LABEL', ['delete']],
  ['label of one cluster on the namespace', { namespaceLabels: { 'cluster.x-k8s.io/cluster-name': 'acme' } }, 'TC-CLUSTER-LABEL', ['namespaceLabels["cluster.x-k8s.io/cluster-name"]', 'several']],
  ['label of Kubernetes on the namespace', { namespaceLabels: { 'kubernetes.io/metadata.name': 'x' } }, 'TC-CLUSTER-LABEL', ['set by Kubernetes']],
  ['annotation with a bad key', { annotations: { 'a b': 'c' } }, 'TC-CLUSTER-LABEL', ['annotations["a b"]']],
  ['namespace label with a bad key', { namespaceLabels: { '/x': 'c' } }, 'TC-CLUSTER-LABEL', ['namespaceLabels["/x"]']],
  ['range that is none', { podCidrs: ['10.0.0.0'] }, 'TC-NETWORK-CIDR', ['podCidrs[0]', '"10.0.0.0"']],
  ['range of pods that no node routes', { podCidrs: ['169.254.0.0/16'] }, 'TC-NETWORK-CIDR', ['podCidrs[0]', 'link-local']],
  ['range of Services that no node routes', { serviceCidrs: ['127.96.0.0/16'] }, 'TC-NETWORK-CIDR', ['serviceCidrs[0]', 'loopback']],
  ['range with host bits', { serviceCidrs: ['10.95.0.1/16'] }, 'TC-NETWORK-CIDR', ['serviceCidrs[0]', '10.95.0.0/16']],
  ['no range', { podCidrs: [] }, 'TC-NETWORK-FAMILIES', ['podCidrs', '0 ranges']],
  ['three ranges', { podCidrs: ['10.1.0.0/16', 'fd00::/48', '10.2.0.0/16'] }, 'TC-NETWORK-FAMILIES', ['3 ranges']],
  ['two ranges of one family', { podCidrs: ['10.1.0.0/16', '10.2.0.0/16'] }, 'TC-NETWORK-FAMILIES', ['both ranges are IPv4']],
  ['families that differ', { podCidrs: ['fd00::/56'] }, 'TC-NETWORK-FAMILIES', ['pods have IPv6', 'Services have IPv4']],
  ['second family that gets lost', {
    controlPlane: new ExampleControlPlane({ dualStack: false }), podCidrs: ['10.1.0.0/16', 'fd00:1::/56'], serviceCidrs: ['10.2.0.0/16', 'fd00:2::/112'],
  }, 'TC-NETWORK-DUAL-STACK', ['drops the second']],
  ['range of Services without a DNS address', { serviceCidrs: ['10.95.0.0/29'] }, 'TC-NETWORK-SERVICE-SIZE', ['8 addresses']],
  ['range of pods smaller than a node\'s', { podCidrs: ['10.243.0.0/25'] }, 'TC-NETWORK-POD-SIZE', ['/24']],
  ['overlap of pods and Services', { podCidrs: ['10.0.0.0/8'] }, 'TC-NETWORK-OVERLAP', ['10.95.0.0/16 overlaps with podCidrs 10.0.0.0/8']],
  ['overlap with the machines\' network', { infrastructure: new ExampleInfrastructure({ reservedCidrs: ['10.243.128.0/24'] }) }, 'TC-NETWORK-OVERLAP', ['10.243.0.0/16 overlaps with 10.243.128.0/24']],
  ['range of Services that kubeadm finds too large', {
    controlPlane: new ExampleControlPlane({ kubeadm: true }), podCidrs: ['172.16.0.0/16'], serviceCidrs: ['10.0.0.0/8'],
  }, 'TC-NETWORK-SERVICE-SIZE', ['serviceCidrs[0]', '/12']],
  ['prefix lengths for other ranges', { nodeCidrMaskSizes: [24, 64] }, 'TC-NETWORK-NODE-MASK', ['nodeCidrMaskSizes']],
  ['prefix length that leaves no addresses', { nodeCidrMaskSizes: [32] }, 'TC-NETWORK-NODE-MASK', ['nodeCidrMaskSizes[0]', '1 to 30']],
  ['address of the API server among those of pods', { controlPlane: publishedAt('10.243.7.1') }, 'TC-NETWORK-OVERLAP', ['podCidrs', '10.243.7.1, the address of the API server']],
  ['address of the API server among those of Services', { controlPlane: publishedAt('10.95.0.1') }, 'TC-NETWORK-OVERLAP', ['serviceCidrs', '10.95.0.1']],
  ['labels of a Namespace that somebody else makes', { createNamespace: false, namespaceLabels: { team: 'a' } }, 'TC-CLUSTER-NAMESPACE-LABELS', ['namespaceLabels', 'nowhere']],
  ['service domain without a dot', { serviceDomain: 'local' }, 'TC-NETWORK-SERVICE-DOMAIN', ['"local" has no dot']],
  ['service domain that is no name', { serviceDomain: 'Cluster.Local' }, 'TC-NETWORK-SERVICE-DOMAIN', ['"Cluster.Local"']],
];

test.each(CASES)('%s is refused', (_name, props, id, text) => {
  const problems = problemsOfCluster(props);

  expect(problems.map((problem) => [problem.path, problem.id])).toEqual([['acme', id]]);
  text.forEach((part) => expect(problems[0].text).toContain(part));
});

test('a cluster that breaks no rule is accepted', () => {
  expect(problemsOfCluster({})).toEqual([]);
});

test('two clusters of one name in one namespace are refused', () => {
  const app = Testing.app();
  exampleCluster(app, {}, 'one');
  exampleCluster(app, { name: 'one', createNamespace: false }, 'two');

  expect(problemsOf(app)).toMatchObject([{ path: 'two', id: 'TC-CLUSTER-NAME-TAKEN', text: expect.stringContaining('declared by one already') }]);
});

test('what is named after a cluster whose name is taken is not refused once more', () => {
  const app = Testing.app();
  for (const id of ['one', 'two']) {
    const cluster = exampleCluster(app, { name: 'one', createNamespace: id === 'one', cni: new Cilium({ kubeProxyReplacement: false }), delivery: new FluxDelivery() }, id);
    cluster.addNodePool('general', poolProps({ size: PoolSize.between(1, 3) }));
  }

  expect(problemsOf(app)).toMatchObject([{ path: 'two', id: 'TC-CLUSTER-NAME-TAKEN' }]);
});

test('two pools of one name are refused like any other mistake', () => {
  const app = Testing.app();
  const cluster = exampleCluster(app, { serviceDomain: 'local' });
  const first = cluster.addNodePool('general', poolProps());
  const second = cluster.addNodePool('general', poolProps({ failureDomain: '' }));

  expect(second).not.toBe(first);
  expect(problemsOf(app).map(({ path, id }) => [path, id])).toEqual([
    ['acme', 'TC-NETWORK-SERVICE-DOMAIN'], ['acme/general (again)', 'TC-POOL-NAME-TAKEN'], ['acme/general (again)', 'TC-ADMIT-FIELD-VALUE'],
  ]);
});

test.each(['1.34', 'v1.34', '1.34.x', 'latest', ''])('the version %j is refused alone, though flags, gates and fields depend on it', (kubernetesVersion) => {
  const controlPlane = new KamajiControlPlane({
    additionalInfrastructureKinds: ['ExampleCluster'],
    // Gone from 1.35 on.
    apiServer: { featureGates: { CronJobsScheduledAnnotation: true } },
  });
  const app = Testing.app();
  exampleCluster(app, { kubernetesVersion, controlPlane }).addNodePool('general', poolProps());

  expect(problemsOf(app)).toMatchObject([{ path: 'acme', id: 'TC-CLUSTER-VERSION' }]);
});

test('the minor of a version that is refused counts where it can be read', () => {
  const controlPlane = new KamajiControlPlane({ additionalInfrastructureKinds: ['ExampleCluster'], apiServer: { featureGates: { CronJobsScheduledAnnotation: true } } });

  expect(problemsOfCluster({ kubernetesVersion: '1.35', controlPlane }).map(({ id }) => id)).toEqual(['TC-CLUSTER-VERSION', 'TC-TRAP-KAMAJI-ARGUMENT']);
});

test('clusters of one name in two namespaces are accepted', () => {
  const app = Testing.app();
  exampleCluster(app, { name: 'one', namespace: 'a' }, 'a-one').addNodePool('p', poolProps());
  exampleCluster(app, { name: 'one', namespace: 'b' }, 'b-one').addNodePool('p', poolProps());

  expect(problemsOf(app)).toEqual([]);
});

test('one Namespace object is made by one cluster', () => {
  const app = Testing.app();
  exampleCluster(app, {}, 'one');
  exampleCluster(app, {}, 'two');

  expect(problemsOf(app)).toMatchObject([{ path: 'two', id: 'TC-CLUSTER-NAMESPACE-TAKEN', text: expect.stringContaining('createNamespace: false') }]);
});

test('the pods of all nodes must fit', () => {
  const app = Testing.app();
  const cluster = exampleCluster(app, { podCidrs: ['10.243.0.0/20'] });
  cluster.addNodePool('a', poolProps({ size: PoolSize.between(0, 10) }));
  cluster.addNodePool('b', poolProps({ size: PoolSize.fixed(7) }));

  expect(problemsOf(app)).toMatchObject([{ path: 'acme', id: 'TC-NETWORK-POD-CAPACITY', text: expect.stringContaining('17 nodes, and 10.243.0.0/20 has room for 16') }]);
});

test('ten mistakes give one error with ten entries, each with the way out, and no manifest', () => {
  const app = Testing.app();
  const cluster = exampleCluster(app, { kubernetesVersion: '1.35', podCidrs: ['10.0.0.0/33'], serviceDomain: 'local', labels: { team: '?' } });
  cluster.addNodePool('a', poolProps({ size: PoolSize.between(3, 1), labels: { 'k8s.io/x': '' } }));
  cluster.addNodePool('b', poolProps({ kubernetesVersion: '1.35', failureDomain: '' }));
  cluster.addNodePool('c', poolProps({ machine: new ExampleMachine({ cpu: 1, memory: Size.mebibytes(500) }), kubelet: { maxPods: -1 } }));
  const problems = problemsOf(app);

  expect(problems).toHaveLength(10);
  problems.forEach((problem) => expect(problem.text).toMatch(/ Fix: \S.+\.$/));
  expect(problems.map((problem) => problem.path)).toEqual([...Array(4).fill('acme'), ...Array(2).fill('acme/a'), ...Array(2).fill('acme/b'), ...Array(2).fill('acme/c')]);
  expect(() => cluster.toJson()).toThrow('TC-TRAP-POOL-AUTOSCALER-ORDER');
});

describe('what is put below a cluster', () => {
  const config = (scope: Construct, id: string) => new ApiObject(scope, id, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: id } });

  test('TC-CLUSTER-FOREIGN-OBJECT: is not taken for something in the tenant', () => {
    const app = Testing.app();
    const cluster = exampleCluster(app);
    config(cluster, 'web');
    config(new Construct(cluster, 'Team'), 'api');
    expect(problemsOf(app)).toEqual([
      { path: 'acme', id: 'TC-CLUSTER-FOREIGN-OBJECT', text: expect.stringContaining('ConfigMap "acme/web" is put below the cluster') },
      { path: 'acme', id: 'TC-CLUSTER-FOREIGN-OBJECT', text: expect.stringContaining('ConfigMap "acme/Team/api" is put below the cluster') },
    ]);
  });

  test('in a chart goes to the management cluster, and in workloads to the tenant', () => {
    const app = Testing.app();
    const cluster = exampleCluster(app, { delivery: new FluxDelivery() });
    cluster.addNodePool('general', poolProps({ size: PoolSize.between(1, 3) }));
    config(new Chart(cluster, 'Team', { namespace: 'tenant-acme' }), 'api');
    new ApiObject(cluster.workloads, 'web', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web', namespace: 'a' } });
    new ApiObject(cluster.workloads, 'a', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } });
    expect(problemsOf(app)).toEqual([]);
  });

  test('TC-CLUSTER-IN-TENANT: a cluster is not put into the workloads of another one', () => {
    const app = Testing.app();
    const cluster = exampleCluster(app, { delivery: new FluxDelivery() });
    new TenantCluster(cluster.workloads, 'inner', {
      namespace: 'tenant-inner', kubernetesVersion: '1.35.4', controlPlane: new ExampleControlPlane(), infrastructure: new ExampleInfrastructure(), cni: Cni.none(),
    });
    expect(problemsOf(app).map(({ id }) => id)).toContain('TC-CLUSTER-IN-TENANT');
  });
});

test.each<[string, (cluster: TenantCluster) => unknown, string]>([
  ['nodePools', (cluster) => cluster.nodePools.push(undefined as never), 'addNodePool(id, props)'],
  ['addons', (cluster) => cluster.addons.unshift(undefined as never), 'addAddon(addon)'],
  ['podCidrs', (cluster) => cluster.podCidrs.push('10.0.0.0/8'), 'to the constructor'],
])('TC-ARGUMENT-COPY: an addition to the copy that %s returns', (property, add, fix) => {
  const app = Testing.app();
  add(exampleCluster(app));
  expect(problemsOf(app)).toEqual([{ path: 'acme', id: 'TC-ARGUMENT-COPY', text: expect.stringMatching(`^${property}: the list is a copy`) as string }]);
  expect(problemsOf(app)[0].text).toContain(fix);
});

test('TC-ADDON-DEPENDENCY: workloads that depend on another cluster', () => {
  const app = Testing.app();
  const cluster = exampleCluster(app, { delivery: new FluxDelivery() });
  const other = exampleCluster(app, { namespace: 'tenant-other' }, 'other');
  const [web, db] = ['web', 'db'].map((id) => new ApiObject(cluster.workloads, id, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: id, namespace: 'default' } }));
  web.addDependency(db);
  expect(problemsOf(app)).toEqual([]);

  cluster.workloads.addDependency(other);
  expect(problemsOf(app)).toEqual([{ path: 'acme', id: 'TC-ADDON-DEPENDENCY', text: expect.stringContaining('"workloads" depends on constructs that do not go to the tenant') as string }]);
});

function warned(make: () => void): (string | undefined)[] {
  const emit = jest.spyOn(WARNINGS, 'emit').mockReturnValue();
  make();
  const codes = emit.mock.calls.map(([, { code }]) => code);
  emit.mockRestore();
  return codes;
}

test('a cluster that exists in the default namespace stays there, with a warning', () => {
  const codes = warned(() => expect(problemsOfCluster({ namespace: 'default', createNamespace: false })).toEqual([]));
  expect(codes).toContain('TC-CLUSTER-DEFAULT-NAMESPACE');
});

describe('a Kubernetes that is newer than what the library knows', () => {
  test('is written as a known one, with a warning', () => {
    const objects = (kubernetesVersion: string) => {
      const app = Testing.app();
      const cluster = exampleCluster(app, { kubernetesVersion });
      cluster.addNodePool('general', poolProps({ size: PoolSize.between(1, 3), kubelet: { maxPods: 100 } }));
      return JSON.stringify(cluster.toJson());
    };
    const codes = warned(() => expect(objects('1.99.3')).toBe(objects('1.36.3').replaceAll('v1.36.3', 'v1.99.3')));
    expect(codes).toContain('TC-CLUSTER-VERSION-NEWER');
    expect(warned(() => objects('1.36.3'))).not.toContain('TC-CLUSTER-VERSION-NEWER');
  });

  test('is refused where the management cluster or Kamaji cannot run it', () => {
    const codes = warned(() => {
      expect(problemsOfCluster({ kubernetesVersion: '1.99.3', controlPlane: new KamajiControlPlane() }).map(({ id }) => id)).toContain('TC-KAMAJI-KUBERNETES-VERSION');
    });
    expect(codes).toContain('TC-CLUSTER-VERSION-NEWER');
  });
});
