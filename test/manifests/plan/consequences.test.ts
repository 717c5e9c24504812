import { Fields } from './foreign-objects';
import { planned, plannedTenant, written } from './tenant-pages';
import { Cilium } from '../../../src/constructs/addons/cni/cilium';
import { KamajiControlPlane } from '../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { placedObjects } from '../../../src/manifests/landscape/placed-objects';
import { PlannedCluster, PlannedPart } from '../../../src/manifests/plan/plan-model';
import { planObjects } from '../../../src/manifests/plan/plan-objects';
import { planText } from '../../../src/manifests/plan/plan-text';

const CLUSTER = (kind: string): Fields => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  metadata: { name: 'acme', namespace: 'tenants' },
  spec: { controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind, name: 'acme' } },
});

const object = (kind: string, spec: Fields, apiVersion = 'controlplane.cluster.x-k8s.io/v1alpha2', metadata: Fields = {}): Fields => (
  { apiVersion, kind, metadata: { name: 'acme', namespace: 'tenants', ...metadata }, spec });

const kamaji = (spec: Fields = {}, metadata: Fields = {}) => [
  CLUSTER('KamajiControlPlane'), object('KamajiControlPlane', { version: 'v1.35.4', replicas: 2, dataStoreName: 'default', ...spec }, undefined, metadata),
];

const kubeadm = (spec: Fields = {}, configuration: Fields = {}) => [
  CLUSTER('KubeadmControlPlane'),
  object('KubeadmControlPlane', { version: 'v1.35.4', replicas: 3, kubeadmConfigSpec: { clusterConfiguration: configuration }, ...spec }, 'controlplane.cluster.x-k8s.io/v1beta2'),
];

/** Consequences in the parts of a cluster: lost, down and felt. */
function noticed(cluster: Pick<PlannedCluster, 'parts'> | undefined): string[] {
  return (cluster?.parts ?? []).flatMap(({ consequences }: PlannedPart) => {
    const { lost = [], down = [], felt = [] } = consequences ?? {};
    const words = (found: typeof lost) => found.map(({ what, detail }) => (detail === undefined ? what : `${what} (${detail})`));
    return [...words(lost).map((text) => `lost: ${text}`), ...words(down).map((text) => `down: ${text}`), ...felt];
  });
}

const changed = (before: readonly unknown[], after: readonly unknown[]): string[] => {
  const { clusters, shared } = planned(before, after);
  return [...clusters.flatMap(noticed), ...noticed({ parts: shared })];
};

describe('control planes that run as pods', () => {
  test.each<[what: string, before: readonly unknown[], after: readonly unknown[], noticed: unknown[]]>([
    ['stop', kamaji(), kamaji({ replicas: 0 }), ['down: API server (until replicas is raised again; its data stay)']],
    ['were stopped before', kamaji({ replicas: 0 }), kamaji({ replicas: 0, version: 'v1.35.5' }), []],
    ['are woken', kamaji({ replicas: 0 }), kamaji(), []],
    ['are replaced beside the former ones', kamaji(), kamaji({ version: 'v1.35.5' }), ['connections to the API server break once']],
    ['are replaced after the former ones', kamaji({ deployment: { strategy: { type: 'Recreate' } } }), kamaji({ version: 'v1.35.5', deployment: { strategy: { type: 'Recreate' } } }), [
      'down: API server (until its new pods run)',
    ]],
    ['are replaced all at once', kamaji({ deployment: { strategy: { rollingUpdate: { maxUnavailable: '100%' } } } }), kamaji({
      version: 'v1.35.5', deployment: { strategy: { rollingUpdate: { maxUnavailable: '100%' } } },
    }), ['down: API server (until its new pods run)']],
    ['one after the other', kamaji({ deployment: { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } } }), kamaji({
      version: 'v1.35.5', deployment: { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } },
    }), ['connections to the API server break once']],
    ['move to another data store', kamaji(), kamaji({ dataStoreName: 'gold' }), [
      expect.stringMatching(/^down: writes to the API server \(until the data are copied, or the move is taken back if that takes longer than 5m/),
    ]],
    ['move with a time of their own', kamaji(), kamaji({ dataStoreName: 'gold' }, { annotations: { 'kamaji.clastix.io/migration-timeout': '15m' } }), [
      expect.stringContaining('longer than 15m'),
    ]],
    ['are scaled', kamaji(), kamaji({ replicas: 3 }), []],
    ['go, and another kind takes their place', kamaji(), kubeadm(), ['lost: all objects in the API server (they are deleted in the data store)']],
  ])('%s', (_, before, after, expected) => {
    expect(changed(before, after)).toEqual(expected);
  });
});

describe('control planes with machines', () => {
  const surge = (maxSurge: number) => ({ rollout: { strategy: { rollingUpdate: { maxSurge } } } });

  test.each<[what: string, before: readonly unknown[], after: readonly unknown[], noticed: unknown[]]>([
    ['go with etcd', kubeadm(), kamaji(), ['lost: all objects in the API server (etcd is on the machines)']],
    ['go, and etcd stays elsewhere', kubeadm({}, { etcd: { external: {} } }), kamaji(), []],
    ['of three machines are replaced', kubeadm(), kubeadm({ version: 'v1.35.5' }), ['nodes are drained one after the other']],
    ['of three machines are replaced without a fourth', kubeadm(surge(0)), kubeadm({ ...surge(0), version: 'v1.35.5' }), [
      'etcd has a member less meanwhile, and stops if one of the others fails', 'nodes are drained one after the other',
    ]],
    ['of one machine are replaced', kubeadm({ replicas: 1 }), kubeadm({ replicas: 1, version: 'v1.35.5' }), [
      'etcd has two members meanwhile, and stops if one of them fails', 'the node is drained',
    ]],
    ['lose all machines but one', kubeadm(), kubeadm({ replicas: 1 }), ['one machine is left: if it fails, there is no API server']],
    ['lose some machines', kubeadm({ replicas: 5 }), kubeadm(), []],
  ])('%s', (_, before, after, expected) => {
    expect(changed(before, after)).toEqual(expected);
  });
});

describe('clusters', () => {
  const cluster = (metadata: Fields = {}) => [{ ...CLUSTER('KubeadmControlPlane'), metadata: { name: 'acme', namespace: 'tenants', ...metadata } }, kubeadm()[1]];
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'tenants' } };

  test('take along their objects, once', () => {
    expect(changed([namespace, ...cluster()], [namespace])).toEqual([
      'lost: all objects in the API server', 'nodes are not drained', 'load balancers and volumes that its controllers made may stay behind',
    ]);
  });

  test('with their namespace', () => {
    expect(changed([namespace, ...cluster()], [])).toEqual(expect.arrayContaining(['lost: all objects in the API server', 'lost: everything in namespace tenants']));
  });

  test('that are kept lose nothing', () => {
    const kept = [namespace, ...cluster({ annotations: { 'kustomize.toolkit.fluxcd.io/prune': 'disabled' } })];
    expect(changed(kept, [namespace, kept[2]])).toEqual([]);
  });
});

describe('other objects', () => {
  test('a pod network that goes, or becomes another', () => {
    const [cilium, none] = [written({ cluster: { cni: new Cilium() } }), written({})];
    expect(changed(cilium, none)).toEqual(['down: pod network (until another one runs and all pods are restarted)']);
    expect(changed(cilium, JSON.parse(JSON.stringify(cilium).replaceAll('"chart":"cilium"', '"chart":"calico"')))).toEqual([
      'down: pod network (until calico runs and all pods are restarted)',
    ]);
    expect(changed(none, cilium)).toEqual([]);
  });

  describe('a pod network', () => {
    const NETWORK = 'down: pod network (until another one runs and all pods are restarted)';
    const proxy = (network: string, selector = 'a') => object('HelmChartProxy', {
      chartName: network, repoURL: 'https://charts.example.com', clusterSelector: { matchLabels: { network: selector } },
    }, 'addons.cluster.x-k8s.io/v1alpha1', { name: 'network' });
    const labelled = (network?: string) => ({ ...CLUSTER('KubeadmControlPlane'), metadata: { name: 'acme', namespace: 'tenants', ...(network !== undefined && { labels: { network } }) } });
    const all = (first: Fields, ...others: Fields[]) => [first, kubeadm()[1], ...others];
    const release = (namespace: string) => JSON.parse(JSON.stringify(written({ cluster: { cni: new Cilium() } })).replaceAll('"targetNamespace":"kube-system"', `"targetNamespace":"${namespace}"`)) as unknown[];

    test.each<[what: string, before: readonly unknown[], after: readonly unknown[], noticed: string[]]>([
      ['that no longer selects the cluster', all(labelled('a'), proxy('cilium')), all(labelled('a'), proxy('cilium', 'b')), [NETWORK]],
      ['that the labels of the cluster no longer select', all(labelled('a'), proxy('cilium')), all(labelled(), proxy('cilium')), [NETWORK]],
      ['that is no network', all(labelled('a'), proxy('metrics-server')), all(labelled(), proxy('metrics-server')), []],
      ['that other labels select, too', all(labelled('a'), proxy('cilium')), all({ ...labelled('a'), metadata: { name: 'acme', namespace: 'tenants', labels: { network: 'a', b: 'c' } } }, proxy('cilium')), []],
      ['that is installed into another namespace', release('kube-system'), release('cilium'), ['down: pod network (until cilium runs and all pods are restarted)']],
    ])('%s', (_, before, after, expected) => {
      expect(changed(before, after)).toEqual(expected);
    });

    test('that is a DaemonSet', () => {
      const agent = { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'calico-node', namespace: 'kube-system' } };
      const pack = (...objects: Fields[]): Fields[] => [
        object('ClusterResourceSet', { strategy: 'Reconcile', clusterSelector: { matchLabels: { network: 'a' } }, resources: [{ kind: 'ConfigMap', name: 'all' }] }, 'addons.cluster.x-k8s.io/v1beta2'),
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'all', namespace: 'tenants' }, data: { all: objects.map((one) => JSON.stringify(one)).join('\n---\n') } },
      ];
      // A ClusterResourceSet removes nothing.
      expect(changed(all(labelled('a'), ...pack(agent)), all(labelled('a'), ...pack()))).toEqual([]);
      const kustomization = { path: './tenant', prune: true, sourceRef: { kind: 'GitRepository', name: 'all' }, kubeConfig: { secretRef: { name: 'acme-kubeconfig' } } };
      const folders = (...inTenant: Fields[]) => ({
        objects: placedObjects(Object.entries({ 'dist/acme.yaml': all(labelled('a'), object('Kustomization', kustomization, 'kustomize.toolkit.fluxcd.io/v1')), 'tenant/all.yaml': inTenant })
          .map(([file, objects]) => ({ file, bytes: Buffer.from(objects.map((one) => JSON.stringify(one)).join('\n---\n')) }))).objects,
      });
      const other = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } };
      expect(noticed({ parts: planObjects(folders(agent, other), folders(other)).shared })).toEqual([NETWORK]);
    });
  });

  test('an API server under another address', () => {
    const at = (host: string) => ({ ...CLUSTER('KubeadmControlPlane'), spec: { controlPlaneEndpoint: { host, port: 6443 } } });
    expect(changed([at('192.0.2.1')], [at('192.0.2.2')])).toEqual(['nodes and kubeconfigs keep the former address of the API server']);
    expect(changed([CLUSTER('KubeadmControlPlane')], [at('192.0.2.2')])).toEqual([]);
  });

  const beside = (other: Fields) => [...kubeadm(), other];
  const check = (seconds: number): Fields => object('MachineHealthCheck', {
    clusterName: 'acme', selector: { matchLabels: { 'cluster.x-k8s.io/cluster-name': 'acme' } }, checks: { nodeStartupTimeoutSeconds: seconds },
  }, 'cluster.x-k8s.io/v1beta2');

  test('a health check that is too short replaces machines without end', () => {
    const message = 'down: new machines (a machine that is not a node after 60 seconds is replaced, and so is the next one)';
    expect(changed(kubeadm(), beside(check(60)))).toEqual([message]);
    expect(changed(beside(check(1200)), beside(check(60)))).toEqual([message]);
    expect(changed(beside(check(60)), beside({ ...check(60), metadata: { name: 'acme', namespace: 'tenants', labels: { a: 'b' } } }))).toEqual([]);
    expect(changed(kubeadm(), beside(check(1200)))).toEqual([]);
  });

  test.each<[what: string, object: Fields, noticed: string]>([
    ['a claim', { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'db', namespace: 'tenants' } }, 'lost: volume of claim tenants/db (unless its class retains it)'],
    ['a definition', {
      apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'widgets.example.com' }, spec: { names: { kind: 'Widget' } },
    }, 'lost: all objects of kind Widget'],
    ['a load balancer', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'tenants' }, spec: { type: 'LoadBalancer' } }, 'down: load balancer tenants/web (its address is given back)'],
    ['a virtual machine', { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', metadata: { name: 'bastion', namespace: 'tenants' } }, 'lost: VirtualMachine tenants/bastion (volumes of other objects stay)'],
  ])('%s that goes', (_, other, expected) => {
    expect(changed(beside(other), kubeadm())).toEqual([expected]);
  });
});

test('the text says it below the effects', () => {
  const page = (replicas: number) => written({ cluster: { controlPlane: new KamajiControlPlane({ dataStore: 'default', replicas }) } });
  const text = planText(planned(page(2), page(0)), { colors: false, objects: false });

  expect(text).toContain('not available: API server (until replicas is raised again; its data stay)');
  expect(plannedTenant({}, {})).toBeUndefined();
});
