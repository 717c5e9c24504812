import { configTemplateYaml, KUBEADM_KINDS, kubeadmSpec } from './kubeadm-spec';
import { groupKind, ManifestObject } from '../../../objects/manifest-object';
import { valuesIn } from '../../../objects/manifest-text';
import { fileContent } from '../../../objects/packed-manifests';
import { replaced } from '../../../rules/example-text';
import { ManifestRule } from '../../../rules/manifest-rule';
import { secretTexts } from '../../../rules/secret-texts';
import { checkFieldTree, hasField, UnknownField } from '../../../values/field-tree';
import { FieldPath, Fields, fieldText, isFields, objectsAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { nearestName } from '../../../values/nearest-name';
import { FILE_CONFIGURATIONS, FileConfiguration } from '../configuration-fields';
import { withoutTemplates } from '../kubelet-configurations';

const KINDS = new Set(FILE_CONFIGURATIONS.map(({ apiVersion, kind }) => `${apiVersion.slice(0, apiVersion.indexOf('/'))}/${kind}`));
const MARK = new RegExp(`kind["']?\\s*:\\s*["']?(?:${[...new Set(FILE_CONFIGURATIONS.map(({ kind }) => kind))].join('|')})\\b`);

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
export const CONFIGURATION_FILES: readonly ManifestRule[] = [FIELDS];
