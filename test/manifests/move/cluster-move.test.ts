import { load } from 'js-yaml';
import { fileOf, placedObjects } from '../../../src/manifests/landscape/placed-objects';
import { clusterMove, clustersOf, SideManifests } from '../../../src/manifests/move/cluster-move';
import { Carrier, ClusterMove } from '../../../src/manifests/move/move-model';
import { moveText } from '../../../src/manifests/move/move-text';

const CLUSTER = `
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: acme, namespace: tenant-acme}
spec:
  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: acme}
  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: OpenStackCluster, name: acme}
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: {name: acme, namespace: tenant-acme}
spec: {version: v1.35.4, replicas: 3}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackCluster
metadata: {name: acme, namespace: tenant-acme}
spec: {identityRef: {name: acme-cloud, cloudName: openstack}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: acme-autoscaler, namespace: tenant-acme, labels: {cluster.x-k8s.io/cluster-name: acme}}
spec:
  replicas: 2
  template: {spec: {containers: [{name: autoscaler, image: registry.k8s.io/autoscaling/cluster-autoscaler:v1.35.2}]}}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: acme-cilium, namespace: tenant-acme}
spec:
  interval: 1h
  kubeConfig: {secretRef: {name: acme-kubeconfig, key: value}}
  chart: {spec: {chart: cilium, version: 1.20.0, sourceRef: {kind: HelmRepository, name: cilium}}}
  valuesFrom: [{kind: Secret, name: cilium-values}]
`;

const KAMAJI = `
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: acme, namespace: tenant-acme}
spec:
  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KamajiControlPlane, name: acme}
  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: KubevirtCluster, name: acme}
---
apiVersion: controlplane.cluster.x-k8s.io/v1alpha2
kind: KamajiControlPlane
metadata: {name: acme, namespace: tenant-acme}
spec:
  version: v1.35.4
  dataStoreName: gold
  dataStoreSchema: tenant_acme_acme
  dataStoreUsername: tenant_acme_acme
  network: {serviceType: LoadBalancer, serviceAddress: 192.0.2.10}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1
kind: KubevirtCluster
metadata: {name: acme, namespace: tenant-acme}
spec: {infraClusterSecretRef: {name: acme-infra}}
`;

const STORE = `
apiVersion: kamaji.clastix.io/v1alpha1
kind: DataStore
metadata: {name: gold}
spec: {driver: etcd, endpoints: ["etcd.example.com:2379"]}
`;

const POOL = `
apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: {name: tenants, namespace: metallb-system}
spec: {addresses: [192.0.2.0/28]}
`;

function side(name: string, ...texts: readonly string[]): SideManifests {
  const objects = texts.join('\n---\n').split(/^---$/m).filter((text) => text.trim() !== '').map((text) => load(text));
  return { name, objects: placedObjects([fileOf(objects)]).objects };
}

function move(from: readonly string[], to: readonly string[] = []): ClusterMove {
  const former = side('hall-a', ...from);
  const [cluster] = clustersOf(former);
  return clusterMove(former, side('hall-b', ...to), cluster);
}

const obstacles = (...sides: Parameters<typeof move>) => move(...sides).obstacles.map(({ message }) => message);
const titles = ({ steps }: ClusterMove) => steps.map(({ title }) => title.split(/[:,]/)[0]);

describe('a cluster with machines elsewhere', () => {
  test('moves in steps, each with its way back', () => {
    const found = move([CLUSTER]);
    expect(found.obstacles).toEqual([]);
    expect(titles(found)).toEqual([
      'stop the delivery in hall-a', 'stop what delivers to the cluster and what works for it beside its control plane', 'look at both sides',
      'label what clusterctl would leave behind', 'move', 'bring the cluster in hall-b', 'remove what is left in hall-a',
    ]);
    expect(found.steps.every(({ back }) => back !== '')).toBe(true);
  });

  test('objects go by clusterctl, with the label, and by the repository', () => {
    const by = (carrier: Carrier) => move([CLUSTER]).objects.filter((object) => object.by === carrier).map(({ kind, name }) => `${kind} ${name}`);
    expect(by(Carrier.CLUSTERCTL)).toEqual([
      'cluster.x-k8s.io/Cluster acme', 'controlplane.cluster.x-k8s.io/KubeadmControlPlane acme', 'infrastructure.cluster.x-k8s.io/OpenStackCluster acme',
    ]);
    expect(by(Carrier.LABEL)).toEqual(['/Secret acme-cloud', '/Secret cilium-values']);
    expect(by(Carrier.DELIVERY)).toEqual(['apps/Deployment acme-autoscaler', 'helm.toolkit.fluxcd.io/HelmRelease acme-cilium']);
  });

  test('a Secret that the repository makes needs no label', () => {
    const made = 'apiVersion: external-secrets.io/v1\nkind: ExternalSecret\nmetadata: {name: cloud, namespace: tenant-acme}\nspec: {target: {name: acme-cloud}}\n';
    expect(move([CLUSTER, made]).objects.filter(({ by }) => by === Carrier.LABEL).map(({ name }) => name)).toEqual(['cilium-values']);
  });

  test('programs and deliveries stop before the move, and the way back restores them', () => {
    const [, stop] = move([CLUSTER]).steps;
    expect(stop.commands).toEqual([
      'kubectl --context hall-a -n tenant-acme patch helmrelease.helm.toolkit.fluxcd.io/acme-cilium --type merge -p \'{"spec":{"suspend":true}}\'',
      'kubectl --context hall-a -n tenant-acme scale deployment.apps/acme-autoscaler --replicas=0',
    ]);
    expect(stop.back).toContain('scale deployment.apps/acme-autoscaler --replicas=2');
  });

  test('a paused cluster does not move: clusterctl refuses it', () => {
    expect(obstacles([CLUSTER.replace('spec:\n  controlPlaneRef', 'spec:\n  paused: true\n  controlPlaneRef')])).toEqual([expect.stringContaining('it is paused, and clusterctl refuses that')]);
  });

  test.each([
    ['a cluster of its name', 'acme', 'hall-b has a cluster of this name: clusterctl would overwrite its objects'],
    ['another cluster in its namespace', 'blue', 'the namespace "tenant-acme" of hall-b belongs to another cluster, with its quotas, policies and rights'],
  ])('%s on the other side', (_, name, message) => {
    expect(obstacles([CLUSTER], [`apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: ${name}, namespace: tenant-acme}\nspec: {}\n`])).toEqual([message]);
  });

  test('what is missing among the manifests is an obstacle: it may need more than clusterctl does', () => {
    const alone = CLUSTER.slice(0, CLUSTER.indexOf('---'));
    expect(obstacles([alone])).toEqual([
      'KubeadmControlPlane acme is not among the manifests, and what it needs for a move cannot be told',
      'OpenStackCluster acme is not among the manifests, and what it needs for a move cannot be told',
    ]);
    expect(obstacles([alone.replace(/spec:[^]*/, 'spec: {topology: {classRef: {name: standard}, version: v1.35.4}}\n')])).toEqual([
      'its objects are made from a ClusterClass, and cannot be computed from these manifests',
    ]);
  });

  test('a control plane without a Cluster does not move', () => {
    expect(obstacles(['apiVersion: kamaji.clastix.io/v1alpha1\nkind: TenantControlPlane\nmetadata: {name: acme, namespace: tenant-acme}\nspec: {}\n'])).toEqual([
      'it has no Cluster, and clusterctl moves nothing of it',
    ]);
  });

  test('a neighbour in the namespace moves along', () => {
    const found = move([CLUSTER, CLUSTER.replaceAll('name: acme,', 'name: blue,')]);
    expect(found.lookups[0]).toMatch(/^clusterctl takes all clusters of the namespace "tenant-acme" along: blue;/);
    expect(found.steps.at(-1)!.commands.join()).not.toContain('delete namespace');
  });

  test('a class in its namespace that a cluster elsewhere is made of keeps the namespace', () => {
    const other = 'apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: blue, namespace: tenant-blue}\n'
      + 'spec: {topology: {version: v1.35.4, classRef: {name: shared, namespace: tenant-acme}}}\n';

    expect(move([CLUSTER]).steps.at(-1)!.commands.join()).toContain('delete namespace');
    expect(move([CLUSTER, other]).steps.at(-1)!.commands.join()).not.toContain('delete namespace');
  });

  test('an older provider on the other side', () => {
    const provider = (version: string) => `apiVersion: operator.cluster.x-k8s.io/v1alpha2\nkind: CoreProvider\nmetadata: {name: cluster-api, namespace: capi-system}\nspec: {version: ${version}}\n`;
    expect(obstacles([CLUSTER, provider('v1.14.2')], [provider('v1.13.2')])).toEqual([
      'Cluster API is v1.13.2 in hall-b, and v1.14.2 in hall-a: an older one may not know fields that are stored',
    ]);
    expect(obstacles([CLUSTER, provider('v1.13.2')], [provider('v1.14.2')])).toEqual([]);
  });
});

describe('a hosted control plane with machines in a third cluster', () => {
  const found = move([KAMAJI, STORE], [STORE, POOL]);

  test('moves: its authorities are copied, and its former control plane is paused until it has let go of the data', () => {
    expect(found.obstacles).toEqual([]);
    expect(titles(found)).toEqual([
      'stop the delivery in hall-a', 'look at both sides', 'copy the Secrets that clusterctl must not', 'pause the TenantControlPlane',
      'take the kubeconfig of the machines from the former provider', 'move', 'wait for the control plane', 'bring the cluster in hall-b',
      'remove what is left in hall-a',
    ]);
    expect(found.objects.filter(({ by }) => by === Carrier.COPY).map(({ name }) => name)).toEqual([
      'acme-ca', 'acme-sa-certificate', 'acme-front-proxy-ca-certificate', 'acme-datastore-config', 'acme-infra',
    ]);
  });

  test('has no way back by clusterctl alone, which would have machines or data deleted', () => {
    const back = (one: ClusterMove) => one.steps.find(({ title }) => title === 'move')!.back;
    expect(back(found)).toMatch(/After it: all these steps with hall-a and hall-b exchanged, never clusterctl alone, which would have machines or data deleted$/);
    expect(back(move([CLUSTER]))).toMatch(/After it: clusterctl move --kubeconfig-context hall-b .* --to-kubeconfig-context hall-a --namespace tenant-acme, then /);
  });

  test('the way back of the copies deletes the Secrets alone: the namespace may have been there before', () => {
    const { back } = found.steps.find(({ title }) => title.startsWith('copy the Secrets'))!;
    expect(back).toMatch(/^kubectl --context hall-b -n tenant-acme delete secret /);
    expect(back).not.toContain('namespace tenant-acme');
  });

  test('the kubeconfig of the machines never has the label: the former provider would delete them', () => {
    expect(found.objects.filter(({ by }) => by === Carrier.LABEL)).toEqual([]);
  });

  test.each([
    ['without schema', '  dataStoreSchema: tenant_acme_acme\n', '', STORE, POOL, 'dataStoreSchema is not stated: Kamaji would start with no data, under a name that it makes of another UID'],
    ['without an address', ', serviceAddress: 192.0.2.10', '', STORE, POOL,
      'the address of the API server is not stated: the load balancer of the next management cluster gives it another one, and no kubelet finds it'],
    ['with an address of the former side', '192.0.2.10', '192.0.2.77', STORE, POOL, 'no address pool of hall-b has 192.0.2.77, the address of the API server'],
    ['with another data store of that name', '', '', STORE.replace('etcd.example', 'etcd-b.example'), POOL,
      'endpoints of the data store "gold" differ: etcd.example.com:2379 in hall-a, etcd-b.example.com:2379 in hall-b'],
    ['with machines on the former side', '{infraClusterSecretRef: {name: acme-infra}}', '{}', STORE, POOL,
      'the machines of acme are virtual machines of hall-a, and their volumes are there: neither moves'],
    ['with a kubeconfig that others use', '{name: acme-infra}', '{name: infra, namespace: shared}', STORE, POOL,
      'the kubeconfig of its machines is in the namespace "shared", and other clusters may use it: the former provider could still delete the machines'],
  ])('does not move %s', (_, text, other, store, pool, message) => {
    expect(obstacles([KAMAJI.replace(text, other), STORE], [store, pool])).toEqual([message]);
  });

  test.each(['etcd:2379', 'etcd.kamaji-system:2379', 'etcd-0.etcd.kamaji-system.svc:2379', 'etcd.kamaji-system.svc.cluster.local:2379'])('does not move from the data store at %s', (endpoint) => {
    const local = STORE.replace('etcd.example.com:2379', endpoint);
    expect(obstacles([KAMAJI, local], [local, POOL])).toEqual([`the data store "gold" is reached at ${endpoint}, which is another one in each management cluster`]);
  });

  test('a cluster that cannot move has no steps', () => {
    const stuck = move([KAMAJI.replace('{infraClusterSecretRef: {name: acme-infra}}', '{}'), STORE], [STORE, POOL]);
    expect(stuck.steps).toEqual([]);
    expect(moveText(stuck)).toContain('tenant-acme/acme from hall-a to hall-b: no steps\n\nIt cannot move as it is:\n');
  });
});

test.each([
  ['a hosted control plane of k0smotron', 'KubeadmControlPlane', 'K0smotronControlPlane', 'the control plane acme runs in hall-a with its data, which do not move: it would be empty in hall-b'],
  ['hosts of Metal3', 'OpenStackCluster', 'Metal3Cluster', expect.stringContaining('its machines are BareMetalHosts: one that stays in hall-a is wiped')],
])('%s cannot move by these steps', (_, kind, other, message) => {
  expect(obstacles([CLUSTER.replaceAll(kind, other)])).toEqual([message]);
});

test('a Secret of another namespace must be on the other side: clusterctl finds no label there', () => {
  const found = move([CLUSTER.replaceAll('OpenStackCluster', 'ProxmoxCluster').replace('identityRef: {name: acme-cloud, cloudName: openstack}', 'credentialsRef: {name: cloud, namespace: infra}')]);
  expect(found.lookups).toContain('Secret infra/cloud is in hall-b: ProxmoxCluster tenant-acme/acme names it, and clusterctl takes nothing from another namespace');
  expect(found.objects.filter(({ by }) => by === Carrier.LABEL).map(({ name }) => name)).toEqual(['cilium-values']);
  expect(found.objects).toContainEqual({ kind: 'infrastructure.cluster.x-k8s.io/ProxmoxCluster', namespace: 'tenant-acme', name: 'acme', by: Carrier.CLUSTERCTL });
});

test('an Application that is synced by hand loses its finalizer: what it installed would be deleted with it', () => {
  const application = (more: string) => `
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: acme-cilium, namespace: argocd${more}}
spec:
  project: default
  destination: {name: acme, namespace: kube-system}
  source: {repoURL: https://helm.cilium.io, chart: cilium, targetRevision: 1.20.0}
`;
  const patches = (more: string) => move([CLUSTER, application(more)]).steps.flatMap(({ commands }) => commands).filter((line) => line.includes('patch application'));
  expect(patches(', finalizers: [resources-finalizer.argocd.argoproj.io]')).toEqual([expect.stringContaining('"finalizers":[]')]);
  expect(patches('')).toEqual([]);
});

test('names that no server accepts get into no command', () => {
  const secret = CLUSTER.replace('name: acme-cloud', 'name: "x; rm -rf /"').replace('name: acme-autoscaler', 'name: "$(reboot)"');
  const commands = move([secret]).steps.flatMap(({ commands: lines, back }) => [...lines, back]);
  expect(commands.filter((line) => line.includes('reboot'))).toEqual([]);
  expect(commands.filter((line) => /(?<!')(secret\/)?x; rm/.test(line.replaceAll('\'secret/x; rm -rf /\'', '')))).toEqual([]);
});
