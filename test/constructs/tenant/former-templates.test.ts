import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { App, ApiObject, JsonPatch, Size, Testing } from 'cdk8s';
import { parse } from 'yaml';
import { Cni } from '../../../src/constructs/addons/cni/cni';
import { FormerTemplates, FormerTemplatesOptions } from '../../../src/constructs/contracts/node-pool/former-templates';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { ImageSources } from '../../../src/constructs/images/image-sources';
import { KubevirtInfrastructure } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../../src/constructs/infrastructures/kubevirt/root-disk';
import { NodePool } from '../../../src/constructs/tenant/node-pool';
import { TenantCluster } from '../../../src/constructs/tenant/tenant-cluster';
import { ClusterTopology } from '../../../src/constructs/tenant/topology/cluster-topology';
import { ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { plan } from '../../../src/manifests/plan/plan-objects';
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
function ownNames(page: Page = {}): Required<FormerTemplatesOptions> {
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
