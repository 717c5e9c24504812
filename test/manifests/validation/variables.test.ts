import { RuleFinding } from '../../../src/manifests/rules/manifest-rule';
import { ManifestValidator } from '../../../src/manifests/validation/validate-manifests';
import { withoutVariables } from '../../../src/manifests/validation/variables';

const RULE = { id: 'XX', title: 'T.', source: 's', example: { failing: '', corrected: '' } };

function finding(message: string, ...path: (string | number)[]): RuleFinding {
  return { rule: RULE, path, message, fix: 'mend it' };
}

function left(object: object, ...findings: RuleFinding[]): string[] {
  return withoutVariables(object as never, findings).map(({ rule, path, message }) => `${rule.id} ${path.join('.')} ${message}`);
}

const VARIABLES = /^TC-VALIDATE-VARIABLES /;

test('leaves out what is found in values with variables, and says once that there are some', () => {
  const object = { metadata: { name: '${NAME}' }, spec: { replicas: '${N:=3}', list: ['${A}', 'b'], right: 'x' } };
  const found = left(object, finding('a', 'metadata', 'name'), finding('b', 'spec', 'replicas'), finding('c', 'spec', 'list'), finding('d', 'spec', 'right'), finding('not ${NAME}', 'spec'));
  expect(found).toEqual([expect.stringMatching(VARIABLES), 'XX spec.right d']);
  expect(found[0]).toContain('${NAME}, ${N}, ${A},');
});

test.each([
  ['a string for a shell', { spec: { preKubeadmCommands: ['echo ${HOME}'] } }],
  ['a file', { data: { 'run.sh': 'exec ${CMD}' } }],
  ['values of a chart', { spec: { values: { host: '${HOSTNAME}' } } }],
  ['dollars that stay', { metadata: { name: '$${NAME}' } }],
  ['another language', { spec: { text: '${schema.spec.name}' } }],
  ['an object that Flux leaves alone', { metadata: { name: '${NAME}', labels: { 'kustomize.toolkit.fluxcd.io/substitute': 'disabled' } } }],
])('says nothing of %s', (_, object) => {
  expect(left(object)).toEqual([]);
});

test.each([
  ['of a plugin with their place', {}, 'spec', '<path:secret/data/acme#address>'],
  ['of a plugin, with a place for all', { metadata: { annotations: { 'avp.kubernetes.io/path': 'secret/data/acme' } } }, 'spec', '<address>'],
  ['of a provider', {}, 'spec', '[[[ .NodeIP ]]]'],
  ['of 1Password', { apiVersion: 'v1', kind: 'Secret' }, 'data', 'op://vault/item/field'],
  ['of vals', { apiVersion: 'v1', kind: 'Secret' }, 'data', 'ref+op://vault/item/field'],
  ['of a template', { apiVersion: 'v1', kind: 'Secret' }, 'data', '{{ password }}'],
])('says once that placeholders are not replaced: those %s', (_, object, field, value) => {
  const found = left({ ...object, [field]: { a: value, b: value, c: 'c' } }, finding('a', field, 'a'), finding('b', field, 'b'), finding('c', field, 'c'));
  expect(found).toEqual([`TC-VALIDATE-VARIABLES ${field}.a 2 placeholders here are not replaced, and not checked`, `XX ${field}.c c`]);
});

test.each([
  ['a place of a value, in another object', { apiVersion: 'v1', kind: 'ConfigMap' }, 'data', 'op://vault/item/field'],
  ['what SOPS encrypts, without its section', { apiVersion: 'v1', kind: 'Secret' }, 'data', 'ENC[AES256_GCM,data:a,iv:b,tag:c,type:str]'],
  ['a word that documents ask to change', { apiVersion: 'v1', kind: 'Secret' }, 'data', 'changeme!'],
  ['text around a placeholder', {}, 'spec', 'a <b> c'],
  ['a placeholder that nothing replaces', {}, 'spec', '<IP of the host>'],
  ['a placeholder of a Secret that nothing replaces', { apiVersion: 'v1', kind: 'Secret' }, 'data', '<base64 of the key>'],
])('keeps what is found in %s', (_, object, field, value) => {
  expect(left({ ...object, [field]: { a: value } }, finding('a', field, 'a'))).toEqual([`XX ${field}.a a`]);
});

test('keeps what is found elsewhere in an object with a shell text', () => {
  expect(left({ spec: { preKubeadmCommands: ['echo ${HOME}'], x: 1 } }, finding('a', 'spec', 'x'))).toEqual(['XX spec.x a']);
});

test('keeps traps in programs', () => {
  const trap = { ...finding('Flux replaces ${HOME} by nothing', 'spec', 'preKubeadmCommands', 0), rule: { ...RULE, trap: true } };
  expect(left({ spec: { preKubeadmCommands: ['echo ${HOME}'] } }, trap)).toEqual(['XX spec.preKubeadmCommands.0 Flux replaces ${HOME} by nothing']);
});

test('a template of clusterctl gives one warning for each object', () => {
  const template = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineDeployment',
    metadata: { name: '${CLUSTER_NAME}-md-0', namespace: '${NAMESPACE}' },
    spec: {
      clusterName: '${CLUSTER_NAME}',
      replicas: '${WORKER_MACHINE_COUNT}',
      template: { spec: { clusterName: '${CLUSTER_NAME}', version: '${KUBERNETES_VERSION}', bootstrap: { configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfigTemplate', name: '${CLUSTER_NAME}-md-0' } }, infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DockerMachineTemplate', name: '${CLUSTER_NAME}-md-0' } } },
    },
  };
  const { found } = new ManifestValidator().validate([[template]], { silences: [], strict: false });
  expect(found.map(({ finding: { rule } }) => rule.id)).toEqual(['TC-VALIDATE-VARIABLES']);
});

test('leaves out traps about a value that is a variable in a place for programs', () => {
  const bound = { ...finding('it is no number', 'metadata', 'annotations', 'max'), rule: { ...RULE, trap: true } };
  expect(left({ metadata: { annotations: { max: '${MAX_SIZE}' } } }, bound)).toEqual([expect.stringMatching(VARIABLES)]);
});
