import { changed, changes } from './changes';
import { CLUSTER_PARTS, clusterYaml, poolYaml, topologyYaml, controlPlaneYaml } from '../../../../src/manifests/rules/cluster-api/example-manifests';
import { documents, edited } from '../../../../src/manifests/rules/example-text';
import { HELM_RELEASE_TEXT, KUSTOMIZATION_TEXT } from '../../../../src/manifests/systems/flux/rules/examples';
import { namedControlPlane, tenantControlPlane } from '../../../../src/manifests/systems/kamaji/rules/examples';

const CLUSTER = clusterYaml(CLUSTER_PARTS);
const CONTROL_PLANE = namedControlPlane('');
const POOL = poolYaml({ machine: 'version: v1.35.4\n' });
const NAMESPACE = 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: tenant-acme\n';
const MARK = 'kustomize.toolkit.fluxcd.io/prune: disabled';

/** An object with an annotation. */
function annotated(text: string, annotation = MARK): string {
  return text.replace(/metadata:\n/, `metadata:\n  annotations:\n    ${annotation}\n`);
}

function cluster(name: string, namespace = 'tenant-acme'): string {
  return CLUSTER.replace('name: acme\n  namespace: tenant-acme', `name: ${name}\n  namespace: ${namespace}`);
}

describe('versions', () => {
  const planes = { kamaji: CONTROL_PLANE, tenant: tenantControlPlane('  kubernetes: {version: v1.35.4, kubelet: {}}\n'), kubeadm: controlPlaneYaml('replicas: 3') };
  const rules = {
    kamaji: ['TC-CHANGE-KAMAJI-VERSION spec.version', 'TC-CHANGE-KAMAJI-VERSION spec.version'],
    tenant: ['TC-CHANGE-TCP-VERSION spec.kubernetes.version', 'TC-CHANGE-TCP-VERSION spec.kubernetes.version'],
    kubeadm: ['TC-CHANGE-KCP-VERSION spec.version', 'TC-CHANGE-KCP-DOWNGRADE spec.version'],
  };

  test.each(['kamaji', 'tenant', 'kubeadm'] as const)('of a control plane rise by a minor, and do not go back: %s', (plane) => {
    const text = planes[plane];
    const [skipped, lowered] = rules[plane];
    for (const fine of ['v1.35.3', 'v1.35.9', 'v1.36.0', 'v1.36.9', '1.35.4', 'newest']) expect(changed(text, text.replace('v1.35.4', fine))).toEqual([]);
    for (const far of ['v1.37.0', 'v1.40.1', 'v2.0.0', '1.37.0']) expect(changed(text, text.replace('v1.35.4', far))).toEqual([skipped]);
    for (const back of ['v1.34.9', 'v1.9.0', 'v0.36.0']) expect(changed(text, text.replace('v1.35.4', back))).toEqual([lowered]);
  });

  test('of a pool do not go back by a minor', () => {
    expect(changed(POOL, POOL.replace('v1.35.4', 'v1.35.1'))).toEqual([]);
    expect(changed(POOL, POOL.replace('v1.35.4', 'v1.38.0'))).toEqual([]);
    expect(changed(POOL, POOL.replace('v1.35.4', 'v1.34.9'))).toEqual(['TC-CHANGE-POOL-VERSION spec.template.spec.version']);
  });

  test('of a topology do not go back at all, and only its class says how far they may rise', () => {
    const topology = topologyYaml('');
    const classText = 'apiVersion: cluster.x-k8s.io/v1beta2\nkind: ClusterClass\nmetadata: {name: small, namespace: tenant-acme}\nspec: {controlPlane: {}}\n';
    const version = 'TC-CHANGE-TOPOLOGY-VERSION spec.topology.version';
    expect(changed(topology, topology.replace('v1.35.4', 'v1.35.3'))).toEqual([version]);
    expect(changed(topology, topology.replace('v1.35.4', 'v1.37.0'))).toEqual([]);
    expect(changed(documents(topology, classText), documents(topology.replace('v1.35.4', 'v1.37.0'), classText))).toEqual([version]);
    expect(changed(documents(topology, classText), documents(topology.replace('v1.35.4', 'v1.36.0'), classText))).toEqual([]);
    const knowing = classText.replace('{controlPlane: {}}', '{kubernetesVersions: [v1.35.4, v1.36.0, v1.37.0]}');
    expect(changed(documents(topology, knowing), documents(topology.replace('v1.35.4', 'v1.37.0'), knowing))).toEqual([]);
    const escaping = annotated(topology.replace('v1.35.4', 'v1.30.0'), 'unsafe.topology.cluster.x-k8s.io/disable-update-version-check: ""');
    expect(changed(topology, escaping)).toEqual([]);
  });
});

describe('a Cluster', () => {
  test('may get the defaults said aloud, and ranges that were not said', () => {
    expect(changed(CLUSTER, clusterYaml(`clusterNetwork:\n  serviceDomain: cluster.local\n  apiServerPort: 6443\n  pods:\n    cidrBlocks: [10.1.0.0/16]\n${CLUSTER_PARTS}`))).toEqual([]);
    expect(changed(CLUSTER, clusterYaml(`clusterNetwork:\n  serviceDomain: acme.local\n  apiServerPort: 443\n${CLUSTER_PARTS}`)))
      .toEqual(['TC-CHANGE-CLUSTER-NETWORK spec.clusterNetwork.serviceDomain', 'TC-CHANGE-CLUSTER-NETWORK spec.clusterNetwork.apiServerPort']);
  });

  test('that goes alone, with what is marked to stay, is what deletes it in order', () => {
    const helper = annotated(CONTROL_PLANE);
    expect(changed(documents(CLUSTER, helper, POOL, NAMESPACE), NAMESPACE)).toEqual([]);
    expect(changed(documents(CLUSTER, helper, POOL, NAMESPACE), documents(helper, NAMESPACE))).toEqual(['TC-CHANGE-CLUSTER-LEFT']);
    expect(changed(documents(CLUSTER, CONTROL_PLANE, NAMESPACE), NAMESPACE)).toEqual(['TC-CHANGE-CLUSTER-REMOVED']);
    expect(changed(documents(CLUSTER, helper, annotated(NAMESPACE)), helper)).toEqual(['TC-CHANGE-CLUSTER-LEFT', 'TC-CHANGE-KEPT-REMOVED']);
  });

  test('that is gone is not taken for another one that stays', () => {
    expect(changed(documents(cluster('a'), cluster('b')), documents(cluster('b')))).toEqual([]);
    expect(changed(documents(cluster('a'), cluster('b')), documents(cluster('b'), cluster('c')))).toEqual(['TC-CHANGE-CLUSTER-MOVED']);
    expect(changed(documents(cluster('a'), cluster('b')), documents(cluster('c'), cluster('d')))).toEqual([]);
    expect(changed(cluster('a'), documents(cluster('a', 'elsewhere')))).toEqual(['TC-CHANGE-CLUSTER-MOVED']);
    expect(changed(documents(cluster('a'), cluster('a', 'elsewhere')), documents(cluster('a', 'elsewhere')))).toEqual([]);
  });

  test('keeps a control plane that is renamed out of sight', () => {
    const other = { 'name: acme\n': 'name: acme-2\n' };
    const after = documents(edited(CLUSTER, { 'kind: KamajiControlPlane\n    name: acme': 'kind: KamajiControlPlane\n    name: acme-2' }), edited(CONTROL_PLANE, other));
    expect(changed(documents(CLUSTER, CONTROL_PLANE), after)).toEqual(['TC-CHANGE-CLUSTER-REFERENCE spec.controlPlaneRef']);
    expect(changed(documents(CLUSTER, annotated(CONTROL_PLANE)), after)).toEqual(['TC-CHANGE-CLUSTER-REFERENCE spec.controlPlaneRef', 'TC-CHANGE-KEPT-REMOVED']);
  });
});

describe('what is gone', () => {
  test.each([
    ['annotation of Flux', MARK],
    ['annotation of Argo CD', 'argocd.argoproj.io/sync-options: Delete=false,Prune=false'],
    ['annotation of Helm', 'helm.sh/resource-policy: keep'],
  ])('and marked to stay is only left behind: %s', (_name, annotation) => {
    expect(changed(annotated(NAMESPACE, annotation), '')).toEqual(['TC-CHANGE-KEPT-REMOVED']);
  });

  test.each(['argocd.argoproj.io/sync-options: Prune=confirm', 'kustomize.toolkit.fluxcd.io/prune: enabled', 'helm.sh/resource-policy: delete'])('and marked otherwise goes: %s', (annotation) => {
    expect(changed(annotated(NAMESPACE, annotation), '')).toEqual(['TC-CHANGE-NAMESPACE-REMOVED']);
  });

  test('is used by what stays', () => {
    const store = 'apiVersion: kamaji.clastix.io/v1alpha1\nkind: DataStore\nmetadata: {name: tenants}\n';
    const plane = namedControlPlane('  dataStoreName: tenants\n');
    expect(changed(documents(store, plane), plane)).toEqual(['TC-CHANGE-USED-REMOVED']);
    expect(changed(documents(store, plane), CONTROL_PLANE)).toEqual(['TC-CHANGE-KAMAJI-DATA-STORE spec.dataStoreName']);
  });

  test('as a pool is nobody\'s concern', () => {
    expect(changed(documents(CLUSTER, POOL), CLUSTER)).toEqual([]);
  });

  test('as the network of a cluster is one, unless the cluster goes as well', () => {
    const labels = 'metadata:\n  labels: {cluster.x-k8s.io/cluster-name: acme}\n';
    const cilium = edited(HELM_RELEASE_TEXT, { 'cert-manager': 'cilium', 'metadata:\n': labels });
    const proxy = `apiVersion: addons.cluster.x-k8s.io/v1alpha1\nkind: HelmChartProxy\n${labels}  name: acme-cilium\n  namespace: tenant-acme\nspec: {chartName: cilium}\n`;
    const application = `apiVersion: argoproj.io/v1alpha1\nkind: Application\n${labels}  name: acme-cilium\n  namespace: argocd\nspec: {source: {chart: cilium}}\n`;
    for (const release of [cilium, proxy, application]) {
      expect(changed(documents(CLUSTER, release), CLUSTER)).toEqual(['TC-CHANGE-CNI']);
      expect(changed(documents(CLUSTER, release), NAMESPACE)).not.toContain('TC-CHANGE-CNI');
      expect(changed(release, NAMESPACE)).not.toContain('TC-CHANGE-CNI');
    }
    expect(changed(documents(CLUSTER, cilium), documents(CLUSTER, proxy))).toEqual(['TC-CHANGE-CNI']);
    expect(changed(documents(CLUSTER, edited(cilium, { cilium: 'podinfo' })), CLUSTER)).toEqual([]);
  });
});

describe('a HelmRelease', () => {
  const bare = edited(HELM_RELEASE_TEXT, { '  releaseName: cert-manager\n  targetNamespace: cert-manager\n  storageNamespace: cert-manager\n': '' });

  test('may say what Flux would fill in', () => {
    expect(changed(bare, `${bare}  storageNamespace: tenant-acme\n  releaseName: acme-cert-manager\n  targetNamespace: tenant-acme\n`)).toEqual([]);
    expect(changed(bare, `${bare}  targetNamespace: other\n`)).toEqual(['TC-CHANGE-FLUX-PLACE spec.targetNamespace', 'TC-CHANGE-FLUX-PLACE spec.releaseName']);
  });

  test('may change its chart in place', () => {
    const after = HELM_RELEASE_TEXT.replace('chart: cert-manager', 'chart: other');
    expect(changed(HELM_RELEASE_TEXT, after)).toEqual(['TC-CHANGE-FLUX-CHART spec.chart.spec.chart']);
    expect(changed(HELM_RELEASE_TEXT, `${after}  upgrade: {chartNameChangeStrategy: InPlaceUpdate}\n`)).toEqual([]);
  });

  test('of another cluster takes over nothing', () => {
    const other = edited(HELM_RELEASE_TEXT, { 'name: acme-cert-manager': 'name: beta-cert-manager', 'acme-kubeconfig': 'beta-kubeconfig' });
    expect(changed(HELM_RELEASE_TEXT, other)).toEqual([]);
    const same = HELM_RELEASE_TEXT.replace('name: acme-cert-manager', 'name: other');
    expect(changed(documents(HELM_RELEASE_TEXT, same), same)).toEqual([]);
  });
});

describe('a delivery that turns elsewhere', () => {
  const kubeconfig = '  kubeConfig:\n    secretRef: {name: acme-kubeconfig, key: value}\n';
  const access = '  kubeConfig:\n    configMapRef: {name: access}\n';
  const secret = (name: string, key: string) => `  kubeConfig:\n    secretRef: {name: ${name}, key: ${key}}\n`;

  test.each([[HELM_RELEASE_TEXT, 'installs the release in'], [KUSTOMIZATION_TEXT, 'applies its objects in']])('names both clusters: %#', (text, action) => {
    const messages = (before: string, after: string) => changes(text.replace(kubeconfig, before), text.replace(kubeconfig, after))
      .map(({ rule, path, message }) => `${rule.id} ${path.join('.')}: ${message}`.replace(/over what runs there; .*? it \w+ in /, '... '));
    const found = (field: string, to: string, from: string) => [`TC-CHANGE-FLUX-CLUSTER ${field}: Flux ${action} ${to}, ... ${from} stays, and nothing updates or deletes it`];
    const management = 'the cluster that Flux runs in';

    expect(messages(kubeconfig, '')).toEqual(found('spec.kubeConfig', management, 'the cluster of the Secret "acme-kubeconfig" (key "value")'));
    expect(messages('', kubeconfig)).toEqual(found('spec.kubeConfig.secretRef', 'the cluster of the Secret "acme-kubeconfig" (key "value")', management));
    expect(messages(kubeconfig, secret('beta-kubeconfig', 'value'))).toHaveLength(1);
    expect(messages(kubeconfig, access)).toEqual(found('spec.kubeConfig.configMapRef', 'the cluster of the ConfigMap "access"', 'the cluster of the Secret "acme-kubeconfig" (key "value")'));
    expect(messages(secret('clusters', 'acme'), secret('clusters', 'beta'))).toHaveLength(1);
    // Both are of one cluster.
    expect(messages(secret('acme-admin-kubeconfig', 'admin.svc'), secret('acme-admin-kubeconfig', 'super-admin.svc'))).toEqual([]);
    expect(messages(kubeconfig, secret('acme-admin-kubeconfig', 'admin.svc'))).toEqual([]);
  });

  test.each([
    ['targetNamespace: other', '', 'NAMESPACE spec.targetNamespace', 'deletes the first, Clusters'],
    ['namePrefix: a-', 'prune: false', 'NAMESPACE spec.namePrefix', 'leaves the first behind'],
    ['nameSuffix: -a', '', 'NAMESPACE spec.nameSuffix', 'deletes the first, Clusters'],
    ['path: ./tenants/beta', '', 'FOLDER spec.path', 'deletes what the folder there does not have'],
    ['path: tenants/acme/', '', undefined, ''],
    ['path: ./tenants/beta', 'prune: false', undefined, ''],
    ['sourceRef: {kind: GitRepository, name: other}', '', 'FOLDER spec.sourceRef', 'another source'],
    ['sourceRef: {kind: GitRepository, name: fleet, namespace: tenant-acme}', '', undefined, ''],
  ])('a Kustomization with %s and %s', (field, other, expected, words) => {
    const [key] = field.split(':');
    const after = `${KUSTOMIZATION_TEXT.split('\n').filter((line) => !line.startsWith(`  ${key}:`)).join('\n')}  ${field}\n`;
    const found = changes(KUSTOMIZATION_TEXT, other === '' ? after : after.replace('prune: true', other));

    expect(found.map(({ rule, path }) => `${rule.id} ${path.join('.')}`)).toEqual(expected === undefined ? [] : [`TC-CHANGE-FLUX-${expected}`]);
    expect(found.map(({ message }) => message).join()).toContain(words);
  });

  const application = (destination: string, more = '') => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: acme, namespace: argocd}
spec: {project: default, destination: {${destination}}, source: {repoURL: "https://git.example.com/a.git", path: a}${more}}
`;
  const PRUNE = ', syncPolicy: {automated: {prune: true}}';

  test.each([
    ['name: acme', 'name: beta', ['DESTINATION spec.destination']],
    ['name: acme', 'server: "https://kubernetes.default.svc"', ['DESTINATION spec.destination']],
    ['name: in-cluster', 'server: "https://kubernetes.default.svc"', []],
    ['name: acme, namespace: a', 'name: acme, namespace: b', ['DESTINATION spec.destination.namespace']],
    ['name: acme, namespace: a', 'name: beta, namespace: b', ['DESTINATION spec.destination', 'DESTINATION spec.destination.namespace']],
  ])('an Application from %s to %s', (before, after, expected) => {
    const ids = expected.map((id) => `TC-CHANGE-ARGO-CD-${id}`);
    const set = (text: string) => text.replace('kind: Application', 'kind: ApplicationSet').replace('spec: {', 'spec: {generators: [], template: {metadata: {name: a}, spec: {').replace('}}\n', '}}}}\n');

    expect(changed(application(before), application(after))).toEqual(ids);
    expect(changed(set(application(before)), set(application(after)))).toEqual(ids.map((id) => id.replace('spec.', 'spec.template.spec.')));
  });

  const sourced = (text: string) => `spec: {project: default, destination: {name: acme}, ${text}, syncPolicy: {automated: {prune: true}}}`;
  const from = (more: string, repoURL = 'https://git.example.com/a.git') => `{repoURL: "${repoURL}", ${more}}`;

  test.each([
    [`source: ${from('path: a')}`, `source: ${from('path: b')}`, ['source.path']],
    [`source: ${from('path: a')}`, `source: ${from('path: ./a/')}`, []],
    [`source: ${from('path: a')}`, `source: ${from('path: a', 'https://git.example.com/b.git')}`, ['source.repoURL']],
    [`source: ${from('path: a')}`, `source: ${from('path: a', 'git@git.example.com:a')}`, []],
    [`source: ${from('path: a')}`, `source: ${from('path: a', 'ssh://git@git.example.com/A.git')}`, []],
    [`source: ${from('chart: a')}`, `source: ${from('chart: b')}`, ['source.chart']],
    [`source: ${from('chart: a')}`, `source: ${from('chart: a', 'oci://registry.example.com')}`, []],
    [`source: ${from('path: a')}`, `sources: [${from('path: a')}]`, []],
    [`source: ${from('path: a')}`, `sources: [${from('ref: values')}, ${from('path: a')}]`, []],
    [`source: ${from('path: a')}`, `sources: [${from('path: b')}, ${from('path: a')}]`, []],
    [`source: ${from('path: a')}`, `sources: [${from('path: b')}]`, ['sources.0.path']],
    [`sources: [${from('path: a')}, ${from('path: b')}]`, `sources: [${from('path: b')}, ${from('path: a')}]`, []],
    [`sources: [${from('path: a')}, ${from('path: b')}]`, `sources: [${from('path: a')}, ${from('path: c')}]`, ['sources.1.path']],
    [`sources: [${from('path: a')}, ${from('path: b')}]`, `sources: [${from('path: b')}]`, ['sources']],
    [`sources: [${from('path: a')}, ${from('path: b')}]`, `source: ${from('path: a')}`, ['sources']],
    [`sources: [${from('path: a')}, ${from('ref: values')}]`, `sources: [${from('path: a')}]`, []],
    // Argo CD ignores the source beside others.
    [`sources: [${from('path: a')}], source: ${from('path: b')}`, `sources: [${from('path: a')}]`, []],
    [`source: ${from('path: a')}`, 'sourceHydrator: {drySource: {repoURL: "https://git.example.com/a", path: dry}, syncSource: {path: a, targetBranch: b}}', []],
    [`source: ${from('path: a')}`, 'sourceHydrator: {drySource: {repoURL: "https://git.example.com/a", path: a}, syncSource: {path: b, targetBranch: b}}', ['sourceHydrator.syncSource.path']],
  ])('an Application with %s, then with %s', (before, after, expected) => {
    const one = (text: string) => `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\n${sourced(text)}\n`;
    const set = (text: string) => `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: a}\nspec: {generators: [], template: {metadata: {name: a}, ${sourced(text)}}}\n`;

    expect(changed(one(before), one(after))).toEqual(expected.map((path) => `TC-CHANGE-ARGO-CD-SOURCE spec.${path}`));
    expect(changed(set(before), set(after))).toEqual(expected.map((path) => `TC-CHANGE-ARGO-CD-SOURCE spec.template.spec.${path}`));
    expect(changed(one(before), one(after).replace('prune: true', 'prune: true, enabled: false'))).toEqual([]);
  });

  test.each([
    ['tenants/{{name}}', 'clusters/{{name}}', true],
    ['tenants/{{name}}', 'tenants/{{ .name }}', false],
    ['{{path}}', '{{.path.path}}', false],
  ])('an ApplicationSet with the path %s, then %s', (before, after, isFound) => {
    const set = (path: string) => `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: a}\nspec: {generators: [], template: {metadata: {name: a}, ${sourced(`source: ${from(`path: "${path}"`)}`)}}}\n`;

    expect(changed(set(before), set(after))).toEqual(isFound ? ['TC-CHANGE-ARGO-CD-SOURCE spec.template.spec.source.path'] : []);
  });

  test('no finding shows the token of a repository', () => {
    const set = (host: string) => `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\n${sourced(`source: ${from('path: a', `https://bot:hunter2@${host}/a.git`)}`)}\n`;

    expect(changes(set('git.example.com'), set('git.example.org'))[0].message).not.toContain('hunter2');
  });

  test('an Application that prunes may not find its objects in another folder', () => {
    expect(changed(application('name: acme', PRUNE), application('name: acme', PRUNE).replace('path: a', 'path: b'))).toEqual(['TC-CHANGE-ARGO-CD-SOURCE spec.source.path']);
    expect(changed(application('name: acme'), application('name: acme').replace('path: a', 'path: b'))).toEqual([]);
    expect(changes(application('name: acme, namespace: a', PRUNE), application('name: acme, namespace: b', PRUNE))[0].message).toContain('deletes the first, with their volumes');
  });
});

describe('a Kustomization', () => {
  const orphaning = `${KUSTOMIZATION_TEXT}  deletionPolicy: Orphan\n`;
  const set = `apiVersion: addons.cluster.x-k8s.io/v1beta2
kind: ClusterResourceSet
metadata: {name: acme-addons, namespace: tenant-acme}
spec: {strategy: Reconcile, clusterSelector: {matchLabels: {cluster.x-k8s.io/cluster-name: acme}}, resources: [{kind: ConfigMap, name: acme-addons.1}]}
`;

  test.each([
    ['a set', KUSTOMIZATION_TEXT, set],
    ['a set that applies once', KUSTOMIZATION_TEXT, set.replace('name: acme-addons,', 'name: acme-addons.once,').replace('Reconcile', 'ApplyOnce')],
    ['another name', KUSTOMIZATION_TEXT, edited(KUSTOMIZATION_TEXT, { 'name: acme-addons': 'name: acme-extras', './tenants/acme': 'tenants/acme/' })],
    ['a policy that deletes', orphaning.replace('prune: true', 'prune: false').replace('Orphan', 'Delete'), set],
  ])('would delete what %s delivers from now on', (_name, before, after) => {
    expect(changed(before, after)).toEqual(['TC-CHANGE-FLUX-CARRIER']);
  });

  test.each([
    ['the set was there before', documents(KUSTOMIZATION_TEXT, set), set],
    ['the set is for other manifests', KUSTOMIZATION_TEXT, set.replace('name: acme-addons,', 'name: acme-extras,')],
    ['the other one is for another cluster', KUSTOMIZATION_TEXT, edited(KUSTOMIZATION_TEXT, { 'name: acme-addons': 'name: beta-addons', 'acme-kubeconfig': 'beta-kubeconfig' })],
    ['it takes over from the set', set, KUSTOMIZATION_TEXT],
    ['it is suspended', `${KUSTOMIZATION_TEXT}  suspend: true\n`, set],
    ['it does not prune', KUSTOMIZATION_TEXT.replace('prune: true', 'prune: false'), set],
    ['it orphans', orphaning, set],
    ['it stays in the cluster', KUSTOMIZATION_TEXT.replace('  namespace: tenant-acme', '  namespace: tenant-acme\n  annotations: {kustomize.toolkit.fluxcd.io/prune: disabled}'), set],
  ])('goes without harm if %s', (_name, before, after) => {
    expect(changed(before, after)).toEqual([]);
  });
});

describe('the size of a pool', () => {
  const BOUND = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group';
  const bounds = (least: unknown, most: unknown) => poolYaml({ metadata: `annotations:\n  ${BOUND}-min-size: "${String(least)}"\n  ${BOUND}-max-size: "${String(most)}"` });
  const fixed = (count: number) => poolYaml({ spec: `replicas: ${count}` });
  const none = poolYaml({});

  test.each([
    [bounds(1, 5), bounds(3, 9)], [bounds(1, 5), bounds(5, 9)], [fixed(3), fixed(9)], [fixed(3), bounds(1, 3)], [bounds(2, 4), fixed(4)],
    [none, none], [fixed(1), none], [none, bounds(1, 3)], [bounds('many', 5), bounds(7, 9)], [bounds(1, 5), bounds(9, 7)],
  ])('fits: %#', (before, after) => {
    expect(changed(before, after)).toEqual([]);
  });

  test.each([
    [bounds(1, 3), bounds(4, 9), `metadata.annotations.${BOUND}-min-size`], [bounds(4, 9), bounds(1, 3), `metadata.annotations.${BOUND}-max-size`],
    [fixed(5), bounds(1, 3), `metadata.annotations.${BOUND}-max-size`], [bounds(1, 3), fixed(5), 'spec.replicas'],
    [fixed(2), none, 'spec.replicas'], [bounds(1, 3), none, 'spec.replicas'], [none, bounds(2, 3), `metadata.annotations.${BOUND}-min-size`],
  ])('does not: %#', (before, after, field) => {
    expect(changed(before, after)).toEqual([`TC-CHANGE-POOL-SIZE ${field}`]);
  });

  // From one above its maximum the autoscaler gets to it; a fixed number is written by the delivery.
  test.each([[bounds(1, 5), bounds(1, 4)], [bounds(1, 5), fixed(2)], [fixed(5), bounds(1, 5)], [bounds(0, 1), bounds(0, 0)]])('may fall: %#', (before, after) => {
    expect(changed(before, after)).toEqual([]);
  });

  test.each([[bounds(1, 10), bounds(1, 5)], [bounds(0, 9), bounds(0, 0)], [bounds(2, 6), bounds(0, 4)]])('does not get below a number of machines by a lower maximum: %#', (before, after) => {
    expect(changed(before, after)).toEqual([`TC-CHANGE-POOL-MAXIMUM metadata.annotations.${BOUND}-max-size`]);
  });
});

describe('objects of Kubernetes itself', () => {
  const claim = 'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data, namespace: a}\nspec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 20Gi}}}\n';

  test('claims grow, in whatever unit', () => {
    expect(changed(claim, claim.replace('20Gi', '20480Mi'))).toEqual([]);
    expect(changed(claim, claim.replace('20Gi', '21Gi'))).toEqual([]);
    expect(changed(claim, claim.replace('20Gi', '20G'))).toEqual(['TC-CHANGE-CLAIM spec.resources.requests.storage']);
    expect(changed(claim, claim.replace('ReadWriteOnce', 'ReadWriteMany'))).toEqual(['TC-CHANGE-CLAIM spec.accessModes']);
    expect(changed(claim, claim.replace('spec: {', 'spec: {volumeMode: Filesystem, '))).toEqual([]);
  });

  test('a Job that waits may still be told where to run', () => {
    const job = 'apiVersion: batch/v1\nkind: Job\nmetadata: {name: j, namespace: a}\nspec: {suspend: true, template: {spec: {containers: [{name: a, image: "x:1"}]}}}\n';
    expect(changed(job, job.replace('containers', 'nodeSelector: {a: b}, containers'))).toEqual([]);
    expect(changed(job.replace('suspend: true, ', ''), job.replace('x:1', 'x:2'))).toEqual(['TC-CHANGE-JOB spec.template']);
  });

  test('a Service may leave out the address that it has, and become headless never', () => {
    const service = (spec: string) => `apiVersion: v1\nkind: Service\nmetadata: {name: s, namespace: a}\nspec: {${spec}}\n`;
    expect(changed(service('clusterIP: 10.96.0.9'), service(''))).toEqual([]);
    expect(changed(service(''), service('clusterIP: None'))).toEqual(['TC-CHANGE-SERVICE-IP spec.clusterIP']);
    expect(changed(service('clusterIP: None'), service('type: ExternalName, externalName: a.example.com'))).toEqual([]);
  });

  test('only data that calls itself immutable is', () => {
    const map = (more: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m, namespace: a}\n${more}`;
    expect(changed(map('data: {a: b}\n'), map('immutable: true\ndata: {a: c}\n'))).toEqual([]);
    expect(changed(map('immutable: true\ndata: {a: b}\n'), map('data: {a: b}\n'))).toEqual(['TC-CHANGE-IMMUTABLE-DATA immutable']);
  });

  test('what a server fills in may be said aloud', () => {
    const fast = 'apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: fast}\nprovisioner: csi.example.com\n';
    expect(changed(fast, `${fast}reclaimPolicy: Delete\nvolumeBindingMode: Immediate\nparameters: {}\n`)).toEqual([]);
    expect(changed(fast, `${fast}reclaimPolicy: Retain\nvolumeBindingMode: WaitForFirstConsumer\n`)).toEqual(['TC-CHANGE-STORAGE-CLASS reclaimPolicy', 'TC-CHANGE-STORAGE-CLASS volumeBindingMode']);
  });
});

test('another version of a kind is not compared field by field', () => {
  const old = edited(controlPlaneYaml('replicas: 3'), { v1beta2: 'v1beta1' });
  expect(changed(old, controlPlaneYaml('replicas: 3'))).toEqual([]);
  expect(changed(edited(POOL, { 'io/v1beta2': 'io/v1beta1' }), edited(POOL, { 'clusterName: acme': 'clusterName: other' }))).toEqual(['TC-CHANGE-CLUSTER-NAME spec.clusterName']);
});

describe('the configuration of KubeVirt\'s cloud controller manager', () => {
  const config = (loadBalancer: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ccm, namespace: acme}\ndata:\n  cloud-config: |\n    ${loadBalancer}\n`;
  const selector = config('loadBalancer: {enabled: true}');
  const local = config('loadBalancer: {enabled: true, enableEPSController: true}');
  const found = ['TC-CHANGE-KUBEVIRT-LOCAL-TRAFFIC data.cloud-config'];

  test('is warned of when EndpointSlices begin to be written beside selectors', () => {
    expect(changed(selector, local)).toEqual(found);
    expect(changed(config('loadBalancer: {}'), local)).toEqual(found);
    expect(changes(selector, local)[0].fix).toContain('delete each such Service in the tenant and create it again');
  });

  test.each([
    ['no Service was published', config('loadBalancer: {enabled: false}'), local],
    ['none had a selector', config('loadBalancer: {selectorless: true}'), local],
    ['slices were written already', local, local.replace('enabled: true', 'enabled: true, creationPollInterval: 9')],
    ['slices are written no more', local, selector],
    ['it is another file', config('[Global]'), local],
    ['it cannot be read', config('{'), local],
    ['it becomes unreadable', selector, config('{')],
    ['it is not of this program', config('key: 1'), local],
    ['the key is new', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ccm, namespace: acme}\n', local],
  ])('may change where %s', (_, before, after) => {
    expect(changed(before, after)).toEqual([]);
  });
});

describe('a TenantControlPlane that goes', () => {
  const tenant = (name = 'acme') => tenantControlPlane('  kubernetes: {version: v1.35.4, kubelet: {}}\n  networkProfile: {}\n', { name });
  const release = HELM_RELEASE_TEXT.replace('name: acme-kubeconfig, key: value', 'name: acme-admin-kubeconfig, key: super-admin.svc');

  test('takes along nothing that it needs until then', () => {
    expect(changed(documents(tenant(), tenant('other'), NAMESPACE), documents(tenant('other'), NAMESPACE))).toEqual([]);
    expect(changed(documents(tenant(), NAMESPACE), '')).toContainEqual(expect.stringContaining('TC-CHANGE-CLUSTER-REMOVED'));
    expect(changed(documents(tenant(), tenant('other'), release), tenant('other'))).toContainEqual(expect.stringContaining('TC-CHANGE-CLUSTER-REMOVED'));
  });

  test('is not renamed', () => {
    expect(changed(tenant(), tenant('other'))).toEqual([expect.stringContaining('TC-CHANGE-CLUSTER-MOVED')]);
    expect(changed(tenant(), documents(CLUSTER, CONTROL_PLANE))).toEqual([]);
  });

  test('is no cluster if a KamajiControlPlane owns it', () => {
    const owner = '{apiVersion: controlplane.cluster.x-k8s.io/v1alpha2, kind: KamajiControlPlane, name: acme, uid: a, controller: true}';
    const owned = tenant().replace('metadata:\n', `metadata:\n  ownerReferences: [${owner}]\n`);
    expect(changed(documents(CLUSTER, CONTROL_PLANE, owned), documents(CLUSTER, CONTROL_PLANE, tenant('other')))).toEqual([]);
  });
});
