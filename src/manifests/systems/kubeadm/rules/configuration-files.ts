import { argumentsAt, configTemplateYaml, KUBEADM_KINDS, kubeadmSpec } from './kubeadm-spec';
import { groupKind, ManifestObject } from '../../../objects/manifest-object';
import { valuesIn } from '../../../objects/manifest-text';
import { fileContent } from '../../../objects/packed-manifests';
import { replaced } from '../../../rules/example-text';
import { ManifestRule } from '../../../rules/manifest-rule';
import { secretTexts } from '../../../rules/secret-texts';
import { checkArguments } from '../../../values/component-arguments';
import { Component } from '../../../values/component-facts';
import { checkFieldTree, hasField, UnknownField } from '../../../values/field-tree';
import { FieldPath, Fields, fieldText, isFields, objectsAt, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { nearestName } from '../../../values/nearest-name';
import { parseSemanticVersion } from '../../../values/semantic-version';
import { FILE_CONFIGURATIONS, FileConfiguration } from '../configuration-fields';
import { withoutTemplates } from '../kubelet-configurations';

const KINDS = new Set(FILE_CONFIGURATIONS.map(({ apiVersion, kind }) => `${apiVersion.slice(0, apiVersion.indexOf('/'))}/${kind}`));
const MARK = new RegExp(`kind["']?\\s*:\\s*["']?(?:${[...new Set(FILE_CONFIGURATIONS.map(({ kind }) => kind))].join('|')})\\b`);

/** Arguments of components in documents of kubeadm, by their kind. */
const ARGUMENTS: Readonly<Record<string, readonly (readonly [path: readonly string[], component: Component])[]>> = {
  ClusterConfiguration: [
    [['apiServer', 'extraArgs'], 'kube-apiserver'], [['controllerManager', 'extraArgs'], 'kube-controller-manager'], [['scheduler', 'extraArgs'], 'kube-scheduler'],
  ],
  InitConfiguration: [[['nodeRegistration', 'kubeletExtraArgs'], 'kubelet']],
  JoinConfiguration: [[['nodeRegistration', 'kubeletExtraArgs'], 'kubelet']],
};

const FIELDS: ManifestRule = {
  id: 'TC-TRAP-KUBEADM-CONFIG-FIELD',
  title: 'Configurations of kubeadm, kube-proxy and the API server in files must have fields of their version, with values of their type: '
    + 'the program skips an unknown field or ends, and ends at a value of another type.',
  source: 'kubernetes/kubernetes cmd/kubeadm/app/util/config/initconfiguration.go (documentMapToInitConfiguration), cmd/kube-proxy/app/options.go (loadConfig), '
    + 'staging/src/k8s.io/apiserver/pkg/server/egressselector/config.go (ReadEgressSelectorConfiguration), v1.37.2',
  kinds: [...KINDS, ...KUBEADM_KINDS, '/ConfigMap', '/Secret'],
  trap: true,
  example: replaced(configTemplateYaml(`files:
  - path: /etc/kubernetes/kubeadm.yaml
    content: |
      apiVersion: kubeadm.k8s.io/v1beta4
      kind: ClusterConfiguration
      apiServer:
        extraArgs: [{name: profiling, value: "false"}]
`), 'extraArgs: [{name: profiling, value: "false"}]', 'extraArgs: {profiling: "false"}'),
  check: (object) => (KINDS.has(groupKind(object)) ? findingsIn(object, []) : textsOf(object).flatMap(([path, text]) => (
    MARK.test(text) && !text.includes('{%') ? valuesIn(text).filter(isFields).flatMap((value) => findingsIn(value, path, true)) : []))),
};

const FILE_ARGUMENTS: ManifestRule = {
  id: 'TC-TRAP-KUBEADM-FILE-ARGUMENT',
  title: 'Arguments of components in configurations of kubeadm in files must be known, with values that can be parsed: the component does not start otherwise.',
  source: 'kubernetes/kubernetes cmd/{kube-apiserver,kube-controller-manager,kube-scheduler,kubelet}/app/options',
  kinds: FIELDS.kinds,
  trap: true,
  example: replaced(configTemplateYaml(`files:
  - path: /etc/kubernetes/kubeadm-join.yaml
    content: |
      apiVersion: kubeadm.k8s.io/v1beta4
      kind: JoinConfiguration
      nodeRegistration:
        kubeletExtraArgs: [{name: node-labels, value: example.com/pool=general}]
`), 'example.com/pool=general', 'node-role.kubernetes.io/worker='),
  check: (object) => {
    if (KINDS.has(groupKind(object))) return argumentFindings(object, []);
    return textsOf(object).filter(([, text]) => MARK.test(text) && !TEMPLATE.test(text))
      .flatMap(([path, text]) => valuesIn(text).filter(isFields).flatMap((value) => argumentFindings(value, path, true)));
  },
};

/** A placeholder that another tool replaces. */
const TEMPLATE = /\{\{|\{%|\$\{|<%/;

function argumentFindings(document: Fields, path: FieldPath, isText = false): Finding[] {
  const kind = String(document.kind);
  if (!String(document.apiVersion).startsWith('kubeadm.k8s.io/')) return [];
  const version = parseSemanticVersion(stringAt(document, 'kubernetesVersion') ?? '');
  const minor = version && `${version.major}.${version.minor}`;
  return (Object.hasOwn(ARGUMENTS, kind) ? ARGUMENTS[kind] : []).flatMap(([place, component]) => {
    const given = argumentsAt(document, place);
    return checkArguments(component, minor, given).map((finding) => {
      const at = given[Number(finding.path[0])].path;
      return isText ? { ...finding, path, message: `${kind}: ${fieldText(at)}: ${finding.message}` } : { ...finding, path: at };
    });
  });
}

/** Texts of an object that may be files of machines and of pods. */
function textsOf(object: ManifestObject): (readonly [FieldPath, string])[] {
  if (!KUBEADM_KINDS.includes(groupKind(object))) return secretTexts(object);
  const spec = kubeadmSpec(object);
  return objectsAt(spec.value, 'files').flatMap(([file, index]) => {
    const text = fileContent(file);
    return text === undefined ? [] : [[[...spec.path, 'files', index, 'content'], text] as const];
  });
}

/** Findings of a document; in a text, at the field that has the text. */
function findingsIn(document: Fields, path: FieldPath, isText = false): Finding[] {
  const known = FILE_CONFIGURATIONS.find(({ apiVersion, kind }) => document.apiVersion === apiVersion && document.kind === kind);
  if (!known) return [];
  const { metadata: _, ...fields } = withoutTemplates(document) as Fields;
  return checkFieldTree(fields, known.tree, unknownField(known)).map((finding) => (
    isText ? { ...finding, path, message: `${known.kind}: ${fieldText(finding.path)}: ${finding.message}` } : finding));
}

function unknownField({ kind, program, isStrict, tree, apiVersion }: FileConfiguration): UnknownField {
  return (path, field, parent) => {
    const near = nearestName(field, [...parent.fields.keys()]);
    const other = FILE_CONFIGURATIONS.find((one) => one.kind === kind && one.tree !== tree && hasField(one.tree, path));
    return [{
      path,
      message: `${kind} of ${apiVersion} has no field ${field} here, ${isStrict ? `and ${program} does not start` : `and ${program} skips it`}`,
      fix: near !== undefined ? `did you mean ${near}?` : other ? `remove it: ${other.apiVersion} alone has it` : `remove ${field}`,
    }];
  };
}

/** Rules for configurations in files. */
export const CONFIGURATION_FILES: readonly ManifestRule[] = [FIELDS, FILE_ARGUMENTS];
