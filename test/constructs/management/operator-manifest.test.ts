import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { delivering, manifestsOf, outputOf, refused } from './managed';
import { definitionText, deploymentText } from './operator-files';
import { CompanyNetwork } from '../../../src/constructs/contracts/company-network/company-network';
import { KubevirtInstallation } from '../../../src/constructs/management/kubevirt-installation';
import { ManagementClusterProps } from '../../../src/constructs/management/management-cluster';
import { OperatorManifest } from '../../../src/constructs/management/operator-manifest';
import { keepOnPrune } from '../../../src/manifests/objects/prune-annotations';

const NAMESPACE = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: kubevirt}\n';
const DEFINITION = definitionText('kubevirts', 'kubevirt.io', 'KubeVirt');
const ROLE = 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: "kubevirt.io:operator"}\nrules: []\n';

let directory: string;

beforeAll(() => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'operator-'));
});

afterAll(() => fs.rmSync(directory, { recursive: true, force: true }));

function deployment(image: string): string {
  return deploymentText('virt-operator', 'kubevirt', image);
}

function fromFile(...documents: string[]): Partial<ManagementClusterProps> {
  const file = path.join(directory, `${fs.readdirSync(directory).length}.yaml`);
  fs.writeFileSync(file, documents.join('---\n'));
  return { kubevirt: KubevirtInstallation.operator({ operator: OperatorManifest.file(file) }) };
}

test('the objects of a file are delivered as they stand there, before the object that they serve', () => {
  const output = outputOf(fromFile(NAMESPACE, DEFINITION, ROLE, deployment('registry.example.com/kubevirt/virt-operator:v1.9.0')));

  expect(manifestsOf(output, 'kubevirt-operator')).toEqual([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kubevirt', annotations: keepOnPrune() } },
    expect.objectContaining({ kind: 'CustomResourceDefinition' }),
    { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'kubevirt.io:operator' }, rules: [] },
    expect.objectContaining({ kind: 'Deployment', metadata: { name: 'virt-operator', namespace: 'kubevirt' } }),
  ]);
  expect(delivering(output, 'Kustomization')['management-kubevirt'].spec.dependsOn).toEqual([{ name: 'management-kubevirt-operator' }]);
});

test('the operator logs in to the registries of the company\'s network, and nothing else in the file changes', () => {
  const companyNetwork = new CompanyNetwork({ registries: ['pull', 'other'].map((pullSecret) => ({ registry: `${pullSecret}.example.com`, pullSecret })) });
  const image = 'pull.example.com/kubevirt/virt-operator:v1.9.0';
  const own = deployment(image).replace('spec: {containers', 'spec: {imagePullSecrets: [{name: own}, {name: pull}], containers');
  const written = (...documents: string[]) => manifestsOf(outputOf({ ...fromFile(NAMESPACE, DEFINITION, ROLE, ...documents), companyNetwork }), 'kubevirt-operator');
  const plain = manifestsOf(outputOf(fromFile(NAMESPACE, DEFINITION, ROLE, deployment(image))), 'kubevirt-operator');
  const [operator, ...others] = written(deployment(image)).reverse();

  expect(operator.spec.template.spec).toEqual({ containers: [{ name: 'virt-operator', image }], imagePullSecrets: [{ name: 'pull' }, { name: 'other' }] });
  expect(others).toEqual(plain.slice(0, -1).reverse());
  expect(written(own).pop().spec.template.spec.imagePullSecrets).toEqual([{ name: 'own' }, { name: 'pull' }, { name: 'other' }]);
});

test('a file that nobody names is looked for by operator and version', () => {
  const before = process.cwd();
  try {
    process.chdir(directory);
    fs.mkdirSync('vendor');
    fs.writeFileSync('vendor/kubevirt-operator-v1.8.4.yaml', [DEFINITION, deployment('quay.io/kubevirt/virt-operator:v1.8.4')].join('---\n'));
    const output = outputOf({ kubevirt: KubevirtInstallation.operator({ version: 'v1.8.4' }) });
    expect(manifestsOf(output, 'kubevirt-operator').map(({ kind }) => kind)).toEqual(['CustomResourceDefinition', 'Deployment']);
  } finally {
    process.chdir(before);
  }
});

test('of a version that cannot be read only that is said', () => {
  expect(refused({ kubevirt: KubevirtInstallation.operator({ version: 'latest' }) }).map(({ id }) => id)).toEqual(['TC-MANAGEMENT-VERSION']);
});

test.each([
  ['another version', [DEFINITION, deployment('quay.io/kubevirt/virt-operator:v1.8.4')], 'has no image of v1.9.0, but quay.io/kubevirt/virt-operator:v1.8.4'],
  ['no operator', [DEFINITION, NAMESPACE], 'it has no Deployment "virt-operator"'],
  ['no definition', [deployment('quay.io/kubevirt/virt-operator:v1.9.0')], 'it does not define the kind KubeVirt'],
  ['an object twice', [NAMESPACE, NAMESPACE, DEFINITION, deployment('quay.io/kubevirt/virt-operator:v1.9.0')], 'it has the object Namespace kubevirt twice'],
  ['no object', ['a: b\n', DEFINITION, deployment('quay.io/kubevirt/virt-operator:v1.9.0')], 'no Kubernetes objects'],
])('a file with %s is refused', (_what, documents, text) => {
  expect(refused(fromFile(...documents)).map((problem) => [problem.id, problem.text])).toEqual([
    ['TC-MANAGEMENT-OPERATOR-MANIFEST', expect.stringContaining(text)],
  ]);
});
