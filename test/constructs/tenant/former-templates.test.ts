import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { App, ApiObject, JsonPatch, Size, Testing } from 'cdk8s';
import { parse } from 'yaml';
import { Cni } from '../../../src/constructs/addons/cni/cni';
import { FormerTemplates, FormerTemplatesOptions } from '../../../src/constructs/contracts/node-pool/former-templates';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KubeadmControlPlane } from '../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import { KubeadmControlPlaneProps } from '../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane-props';
import { ImageSources } from '../../../src/constructs/images/image-sources';
import { KubevirtInfrastructure } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../../src/constructs/infrastructures/kubevirt/root-disk';
import { NodePool } from '../../../src/constructs/tenant/node-pool';
import { TenantCluster } from '../../../src/constructs/tenant/tenant-cluster';
import { ClusterTopology } from '../../../src/constructs/tenant/topology/cluster-topology';
import { ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { plan } from '../../../src/manifests/plan/plan-objects';
import { validate } from '../../../src/manifests/validation/validation-report';
import { stringAt } from '../../../src/manifests/values/fields';
import { problemsOf } from '../../support/problems';

const MACHINES = `apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1
kind: KubevirtMachineTemplate
metadata: {name: acme-md-0, namespace: tenant-acme}
spec:
  template:
    spec:
      virtualMachineBootstrapCheck: {checkStrategy: none}
      virtualMachineTemplate:
        spec:
          runStrategy: Once
          template:
            spec:
              evictionStrategy: External
              domain:
                cpu: {cores: 4}
                memory: {guest: 16Gi}
                devices: {disks: [{name: root, disk: {bus: virtio}}], interfaces: [{name: default, bridge: {}}]}
              networks: [{name: default, pod: {}}]
              volumes: [{name: root, containerDisk: {image: "quay.io/capk/ubuntu-2404-container-disk:v1.35.4"}}]
`;
const BOOTSTRAP = `apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
kind: KubeadmConfigTemplate
metadata: {name: acme-md-0, namespace: tenant-acme}
spec: {template: {spec: {joinConfiguration: {nodeRegistration: {criSocket: "unix:///var/run/containerd/containerd.sock"}}}}}
`;

let folder: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'former-'));
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

interface Page {
  readonly cores?: number;
  readonly text?: string;
  readonly names?: FormerTemplatesOptions;
  readonly images?: ImageSources;

  /** False for a page without former templates. */
  readonly former?: boolean;

  readonly topology?: ClusterTopology;
}

function pool({ cores = 4, text = `${MACHINES}---\n${BOOTSTRAP}`, names, images, former = true, topology }: Page = {}): NodePool {
  const file = path.join(folder, 'acme-md-0.yaml');
  fs.writeFileSync(file, text);
  const acme = new TenantCluster(Testing.app(), 'acme', {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    controlPlane: new KamajiControlPlane({ dataStore: 'default' }),
    infrastructure: new KubevirtInfrastructure({}),
    cni: Cni.none(),
    images,
    topology,
  });
  return acme.addNodePool('md-0', {
    machine: new KubevirtMachine({ cpu: cores, memory: Size.gibibytes(16), rootDisk: RootDisk.containerDisk({ image: 'quay.io/capk/ubuntu-2404-container-disk:v1.35.4' }) }),
    size: PoolSize.fixed(3),
    ...(former && { formerTemplates: FormerTemplates.fromFile(file, names) }),
  });
}

/** The names that the page gives its templates without former ones. */
function ownNames(page: Page = {}): FormerTemplatesOptions {
  const { machineTemplate, bootstrapTemplate } = pool({ ...page, former: false });
  return { machineTemplate: machineTemplate.name, bootstrapTemplate: bootstrapTemplate.name };
}

function written(made: NodePool): ManifestObject[] {
  return (made.node.scope as TenantCluster).toJson() as ManifestObject[];
}

/** The templates that the MachineDeployment refers to, of which there is one each. */
function referred(objects: readonly ManifestObject[]): { readonly [kind: string]: string } {
  const { spec } = objects.find(({ kind }) => kind === 'MachineDeployment') as { readonly spec: any };
  const references = [spec.template.spec.infrastructureRef, spec.template.spec.bootstrap.configRef];
  const named = (kind: string) => objects.filter((object) => object.kind === kind).map((object) => stringAt(object, 'metadata', 'name'));
  for (const { kind, name } of references) expect(named(kind)).toEqual([name]);
  return Object.fromEntries(references.map(({ kind, name }) => [kind, name]));
}

const problems = (made: NodePool) => problemsOf(made.node.root as App);

test('the names and contents of the former templates stay', () => {
  const made = pool({ names: ownNames() });
  const objects = written(made);

  expect(referred(objects)).toEqual({ KubevirtMachineTemplate: 'acme-md-0', KubeadmConfigTemplate: 'acme-md-0' });
  const { spec } = objects.find(({ kind }) => kind === 'KubevirtMachineTemplate')!;
  expect(spec).toMatchObject({ template: { spec: { virtualMachineTemplate: { spec: { template: { spec: { evictionStrategy: 'External' } } } } } } });
  expect(JSON.stringify(spec)).not.toContain('terminationGracePeriodSeconds');
  expect(made.machineTemplate.metadata.toJson()).toMatchObject({ name: 'acme-md-0', annotations: { 'kustomize.toolkit.fluxcd.io/prune': 'disabled' } });
});

test('no machine is replaced at the take-over, and all are when the page changes', () => {
  const names = ownNames();
  const former = pool({ names });
  const before = [...written(former).filter(({ kind }) => !String(kind).endsWith('Template')), parse(MACHINES), parse(BOOTSTRAP)];
  const effects = (after: readonly ManifestObject[]) => plan(before, after).clusters.flatMap(({ parts }) => parts)
    .filter(({ name }) => name === 'acme-md-0').flatMap(({ effects: found }) => found.map(({ effect }) => effect));

  expect(effects(written(former))).not.toContain('machines replaced');
  const changed = written(pool({ names, cores: 8 }));
  // Reservations of the kubelet follow from the size of the machine.
  const { machineTemplate, bootstrapTemplate } = ownNames({ cores: 8 });
  expect(referred(changed)).toEqual({ KubevirtMachineTemplate: machineTemplate, KubeadmConfigTemplate: bootstrapTemplate });
  expect(effects(changed)).toContain('machines replaced');
});

test('the output of kubectl get is read', () => {
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [MACHINES, BOOTSTRAP].map((one) => parse(one) as object) });

  expect(referred(written(pool({ text, names: ownNames() })))).toEqual({ KubevirtMachineTemplate: 'acme-md-0', KubeadmConfigTemplate: 'acme-md-0' });
});

test('a patch of a template is a change of the page', () => {
  const made = pool({ names: ownNames() });
  ApiObject.of(made.bootstrapTemplate).addJsonPatch(JsonPatch.add('/spec/template/spec/verbosity', 5));

  expect(referred(written(made))).toEqual({ KubevirtMachineTemplate: 'acme-md-0', KubeadmConfigTemplate: expect.stringMatching(/^acme-md-0-[0-9a-f]{8}$/) });
});

test('what is around the templates does not change the former ones', () => {
  const images = new ImageSources({ overrides: { 'quay.io/capk/ubuntu-2404-container-disk': 'registry.example.com/nodes' } });

  expect(JSON.stringify(written(pool({ names: ownNames({ images }), images })))).toContain('"image":"quay.io/capk/ubuntu-2404-container-disk:v1.35.4"');
});

test('a page that does not say what they stand for is told the names', () => {
  const { machineTemplate, bootstrapTemplate } = ownNames();

  expect(problems(pool())).toEqual([expect.objectContaining({
    path: 'acme/md-0',
    id: 'TC-POOL-FORMER-TEMPLATES',
    text: expect.stringContaining(`Fix: write { machineTemplate: '${machineTemplate}', bootstrapTemplate: '${bootstrapTemplate}' } behind the path`),
  })]);
});

test.each([
  ['no templates', '', 'has no KubevirtMachineTemplate of infrastructure.cluster.x-k8s.io'],
  ['one of them', MACHINES, 'has no KubeadmConfigTemplate of bootstrap.cluster.x-k8s.io'],
  ['two of a kind', `${MACHINES}---\n${MACHINES}---\n${BOOTSTRAP}`, 'has 2 KubevirtMachineTemplate'],
  ['another namespace', `${MACHINES}---\n${BOOTSTRAP.replace('tenant-acme', 'other')}`, 'has a KubeadmConfigTemplate in namespace "other", and the cluster is in "tenant-acme"'],
  ['no YAML', 'a: [', 'cannot be read: line '],
])('a file with %s is refused', (_, text, message) => {
  const found = problems(pool({ text, names: ownNames() }));
  expect(found).toContainEqual(expect.objectContaining({ path: 'acme/md-0', id: 'TC-POOL-FORMER-TEMPLATES', text: expect.stringContaining(message) }));
});

test('a file that is not there is refused', () => {
  const acme = pool({ former: false }).node.scope as TenantCluster;
  acme.addNodePool('md-1', {
    machine: new KubevirtMachine({ cpu: 4, memory: Size.gibibytes(16), rootDisk: RootDisk.containerDisk({ image: 'quay.io/capk/ubuntu-2404-container-disk:v1.35.4' }) }),
    size: PoolSize.fixed(1),
    formerTemplates: FormerTemplates.fromFile('former/missing.yaml'),
  });

  expect(problemsOf(acme.node.root as App)).toEqual([expect.objectContaining({
    path: 'acme/md-1', id: 'TC-POOL-FORMER-TEMPLATES', text: expect.stringMatching(/former\/missing\.yaml cannot be read: .*ENOENT.*relative to the working directory/),
  })]);
});

test('a finding in a former template names the property that it came from', () => {
  const found = problems(pool({ text: `${MACHINES.replace('cores: 4', 'cores: 4, sokcets: 1')}---\n${BOOTSTRAP}`, names: ownNames() }));

  expect(found).toEqual([expect.objectContaining({ path: 'acme/md-0', id: 'TC-ADMIT-FIELD-UNKNOWN', text: expect.stringMatching(/^formerTemplates: /) })]);
});

test('a topology refuses them', () => {
  expect(problems(pool({ names: ownNames(), topology: ClusterTopology.of() }))).toContainEqual({
    path: 'acme/md-0',
    id: 'TC-TOPOLOGY-FORMER-TEMPLATES',
    text: expect.stringMatching(/^formerTemplates: the cluster is a topology, .* Fix: remove formerTemplates/),
  });
});

describe('a control plane on machines', () => {
  // As a team wrote it: another name, an older version of the API, other flags than those of a page.
  const PLANE = `apiVersion: controlplane.cluster.x-k8s.io/v1beta1
kind: KubeadmControlPlane
metadata: {name: acme, namespace: tenant-acme}
spec:
  replicas: 3
  version: v1.35.4
  rolloutBefore: {certificatesExpiryDays: 30}
  machineTemplate:
    infrastructureRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1, kind: KubevirtMachineTemplate, name: acme-cp, namespace: tenant-acme}
  kubeadmConfigSpec:
    clusterConfiguration: {apiServer: {extraArgs: {audit-log-maxage: "7"}}}
    joinConfiguration: {nodeRegistration: {criSocket: "unix:///var/run/containerd/containerd.sock", kubeletExtraArgs: {v: "3"}}}
    initConfiguration: {nodeRegistration: {criSocket: "unix:///var/run/containerd/containerd.sock", kubeletExtraArgs: {v: "3"}}}
`;
  const PLANE_MACHINES = MACHINES.replace('acme-md-0', 'acme-cp');
  const FILE = `${PLANE_MACHINES}---\n${PLANE}`;

  interface PlanePage extends Pick<Page, 'cores' | 'text' | 'names' | 'former' | 'images' | 'topology'> {
    readonly more?: Partial<KubeadmControlPlaneProps>;
    readonly version?: string;
  }

  function cluster({ cores = 4, text = FILE, names, former = true, more, images, topology, version = '1.35.4' }: PlanePage = {}): TenantCluster {
    const file = path.join(folder, 'acme.yaml');
    fs.writeFileSync(file, text);
    return new TenantCluster(Testing.app(), 'acme', {
      namespace: 'tenant-acme',
      kubernetesVersion: version,
      controlPlane: new KubeadmControlPlane({
        machine: new KubevirtMachine({ cpu: cores, memory: Size.gibibytes(16), rootDisk: RootDisk.containerDisk({ image: 'quay.io/capk/ubuntu-2404-container-disk:v1.35.4' }) }),
        ...(former && { formerTemplates: FormerTemplates.fromFile(file, names) }),
        ...more,
      }),
      infrastructure: new KubevirtInfrastructure({}),
      cni: Cni.none(),
      images,
      topology,
    });
  }

  const findings = (acme: TenantCluster) => problemsOf(acme.node.root as App);

  /** The names that the error of a page without names tells. */
  function toldNames(page: PlanePage = {}): FormerTemplatesOptions {
    const [{ text }] = findings(cluster(page)).filter(({ id }) => id === 'TC-POOL-FORMER-TEMPLATES');
    const [, machineTemplate, configuration] = /\{ machineTemplate: '(.*)', configuration: '(.*)' \}/.exec(text)!;
    return { machineTemplate, configuration };
  }

  const objects = (acme: TenantCluster): any[] => acme.toJson();
  const planeOf = (acme: TenantCluster) => objects(acme).find(({ kind }) => kind === 'KubeadmControlPlane');
  const effects = (before: readonly ManifestObject[], after: readonly ManifestObject[]) => plan(before, after).clusters.flatMap(({ parts }) => parts)
    .filter(({ part }) => part === 'control plane').flatMap(({ effects: found }) => found.map(({ effect }) => effect));

  /** Objects before the page, beside those that stay. */
  const former = (acme: TenantCluster) => [
    ...objects(acme).filter(({ kind }) => kind !== 'KubeadmControlPlane' && kind !== 'KubevirtMachineTemplate'), parse(PLANE_MACHINES), parse(PLANE),
  ];

  test('keeps the template and the configuration of its machines', () => {
    const acme = cluster({ names: toldNames() });
    expect(findings(acme)).toEqual([]);
    expect(planeOf(acme).spec).toMatchObject({
      machineTemplate: { spec: { infrastructureRef: { name: 'acme-cp' } } },
      kubeadmConfigSpec: { clusterConfiguration: { apiServer: { extraArgs: [{ name: 'audit-log-maxage', value: '7' }] } } },
    });
    expect(planeOf(acme).spec.kubeadmConfigSpec.joinConfiguration.nodeRegistration.kubeletExtraArgs).toEqual([{ name: 'v', value: '3' }]);
    expect(objects(acme).filter(({ kind }) => kind === 'KubevirtMachineTemplate').map(({ metadata }) => metadata.name)).toEqual(['acme-cp']);
  });

  test('replaces no machine at the take-over, and nothing refuses it', () => {
    const acme = cluster({ names: toldNames() });
    expect(effects(former(acme), objects(acme))).not.toContain('machines replaced');
    const { findings: found } = validate(objects(acme), { before: former(acme) });
    expect(found.filter(({ rule }) => rule.startsWith('TC-CHANGE'))).toEqual([]);
    // Without former templates, all of them are.
    expect(effects(former(acme), objects(cluster({ former: false })))).toContain('machines replaced');
  });

  test.each<[what: string, page: PlanePage, template: boolean]>([
    ['size', { cores: 8 }, true],
    ['configuration', { more: { apiServer: { extraArgs: [{ name: 'audit-log-maxage', value: '9' }] } } }, false],
  ])('replaces them when the page changes their %s', (_, page, isTemplate) => {
    const known = toldNames();
    const [acme, changed] = [cluster({ names: known }), cluster({ ...page, names: known })];
    expect(effects(objects(acme), objects(changed))).toContain('machines replaced');
    expect(planeOf(changed).spec.machineTemplate.spec.infrastructureRef.name === 'acme-cp').toBe(!isTemplate);
  });

  test('keeps the configuration when Kubernetes is upgraded, or images come from elsewhere', () => {
    const images = new ImageSources({ overrides: { 'quay.io/capk/ubuntu-2404-container-disk': 'registry.example.com/nodes' } });
    for (const page of [{ version: '1.35.5' }, { images }]) {
      const acme = cluster({ ...page, names: toldNames(page) });
      expect(planeOf(acme).spec.kubeadmConfigSpec.clusterConfiguration.apiServer).toEqual({ extraArgs: [{ name: 'audit-log-maxage', value: '7' }] });
    }
  });

  test('keeps the template alone if the file has no object of it', () => {
    const { machineTemplate } = toldNames();
    const acme = cluster({ text: PLANE_MACHINES, names: { machineTemplate } });
    expect(findings(acme)).toEqual([]);
    expect(planeOf(acme).spec.machineTemplate.spec.infrastructureRef.name).toBe('acme-cp');
    expect(JSON.stringify(planeOf(acme).spec.kubeadmConfigSpec)).not.toContain('audit-log-maxage');
  });

  test('is refused with a file of another cluster, and as a topology', () => {
    const other = findings(cluster({ text: FILE.replaceAll('tenant-acme', 'other'), names: {} }));
    expect(other).toContainEqual(expect.objectContaining({ id: 'TC-POOL-FORMER-TEMPLATES', text: expect.stringMatching(/^controlPlane\.formerTemplates: .* in namespace "other"/) }));
    expect(findings(cluster({ names: toldNames(), topology: ClusterTopology.of() }))).toContainEqual(expect.objectContaining({
      id: 'TC-TOPOLOGY-FORMER-TEMPLATES', text: expect.stringMatching(/^controlPlane\.formerTemplates: /),
    }));
  });
});
