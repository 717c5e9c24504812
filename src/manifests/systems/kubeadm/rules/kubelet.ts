import { configTemplateYaml, KUBEADM_KINDS, kubeadmSpec, kubernetesMinor } from './kubeadm-spec';
import { groupKind, ManifestObject } from '../../../objects/manifest-object';
import { indented } from '../../../rules/example-text';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule, RuleExample } from '../../../rules/manifest-rule';
import { FieldPath, Fields, objectsAt, stringAt, stringsAt } from '../../../values/fields';
import { distinctFindings, Finding, findingsAt } from '../../../values/finding';
import { checkKubeletConfiguration } from '../../../values/kubelet-configuration';
import { checkEvictionSettings, checkReservedResources } from '../../../values/kubelet-eviction';
import { checkKubeletSettings, KUBELET_VALIDATION } from '../../../values/kubelet-settings';
import { nearestName } from '../../../values/nearest-name';
import { parseSemanticVersion } from '../../../values/semantic-version';
import { KUBELET_CONFIGURATION, kubeletSettings, placeOf } from '../kubelet-configurations';
import { PATCHES_DIRECTORY } from '../node-files';

const KINDS: readonly string[] = [...KUBEADM_KINDS, KUBELET_CONFIGURATION];

const FIELD: ManifestRule = {
  id: 'TC-TRAP-KUBELET-FIELD',
  title: 'Fields of a kubelet\'s configuration must exist in its version, with values of their type: the kubelet skips unknown ones, and does not start with a wrong type.',
  source: 'kubernetes/kubernetes staging/src/k8s.io/kubelet/config/v1beta1/types.go, pkg/kubelet/kubeletconfig/util/codec/codec.go',
  trap: true,
  kinds: KINDS,
  example: patchExample('maxPodz: 60', 'maxPods: 60'),
  check: (object, index) => {
    const files = kubeletSettings(object).flatMap(({ parts }) => parts.filter(({ isArgument }) => !isArgument));
    const minor = minorOf(object, index);
    return distinctFindings(files.flatMap(({ fields, path }) => (
      findingsAt(path, [...checkHead(fields), ...checkKubeletConfiguration(minor, withoutHead(fields))]))));
  },
};

const HEAD = { apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration' };

/** A patch that changes the kind makes a file that no kubelet reads. */
function checkHead(fields: Fields): Finding[] {
  return Object.entries(HEAD).flatMap(([field, accepted]) => {
    const value = fields[field];
    return value === undefined || value === accepted ? [] : [{ path: [field], message: `${JSON.stringify(value)} is no configuration of the kubelet`, accepted, fix: `write ${accepted}` }];
  });
}

/** An object of its own may have metadata, which tools read. */
function withoutHead({ metadata: _, ...fields }: Fields): Fields {
  return fields;
}

const VALUE: ManifestRule = {
  id: 'TC-TRAP-KUBELET-VALUE',
  title: 'Values of a kubelet\'s configuration must pass its validation, each one and those that belong together: otherwise the kubelet does not start, and the node does not join.',
  source: KUBELET_VALIDATION,
  trap: true,
  kinds: KINDS,
  example: patchExample('imageGCHighThresholdPercent: 70\nimageGCLowThresholdPercent: 80', 'imageGCHighThresholdPercent: 80\nimageGCLowThresholdPercent: 70'),
  check: (object, index) => checkEach(object, (fields) => checkKubeletSettings(minorOf(object, index), fields)),
};

const EVICTION: ManifestRule = {
  id: 'TC-TRAP-KUBELET-EVICTION',
  title: 'Eviction thresholds must name a signal of the kubelet, with a quantity or a percentage; soft ones must have a grace period, and be above the hard ones.',
  source: 'kubernetes/kubernetes v1.37.2 pkg/kubelet/eviction/helpers.go:128-168, :348-395',
  trap: true,
  kinds: KINDS,
  example: patchExample('evictionHard:\n  memory.availble: 7%', 'evictionHard:\n  memory.available: 7%'),
  check: (object) => checkEach(object, checkEvictionSettings),
};

const RESERVATION: ManifestRule = {
  id: 'TC-TRAP-KUBELET-RESERVATION',
  title: 'What is reserved of a node must be quantities of cpu, memory, ephemeral-storage or pid: the kubelet does not start otherwise.',
  source: 'kubernetes/kubernetes v1.37.2 cmd/kubelet/app/server.go:1402-1432 (parseResourceList)',
  trap: true,
  kinds: KINDS,
  example: patchExample('systemReserved:\n  ram: 512Mi', 'systemReserved:\n  memory: 512Mi'),
  check: (object) => checkEach(object, checkReservedResources),
};

function checkEach(object: ManifestObject, check: (fields: Fields) => readonly Finding[]): Finding[] {
  return distinctFindings(kubeletSettings(object).flatMap((settings) => (
    check(settings.fields).map((finding) => ({ ...finding, path: placeOf(settings, finding.path) })))));
}

function minorOf(object: ManifestObject, index: ManifestIndex): string | undefined {
  if (groupKind(object) !== KUBELET_CONFIGURATION) return kubernetesMinor(object, index);
  const versions = index.all('kubeadm.k8s.io/ClusterConfiguration').map((cluster) => parseSemanticVersion(stringAt(cluster, 'kubernetesVersion') ?? ''));
  const minors = new Set(versions.map((version) => version && `${version.major}.${version.minor}`));
  return minors.size === 1 ? [...minors][0] : undefined;
}

/** Targets of patches (kubernetes/kubernetes cmd/kubeadm/app/util/patches/patches.go). */
const TARGETS: readonly string[] = [
  'etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubeletconfiguration', 'corednsdeployment', 'kubeproxydaemonset',
];
const TARGET = new RegExp(`^(${TARGETS.join('|')})([^.+]*)?(\\+)?(json|merge|strategic)?`);
const PARTS: readonly string[] = ['initConfiguration', 'joinConfiguration'];

const PATCH_FILE: ManifestRule = {
  id: 'TC-TRAP-KUBEADM-PATCH-FILE',
  title: 'Patches must be in the folder that kubeadm is told of, with the name of a target, a known type and the ending .json or .yaml: kubeadm ignores other files.',
  source: 'kubernetes/kubernetes v1.37.2 cmd/kubeadm/app/util/patches/patches.go:60-90, :228-258',
  trap: true,
  kinds: KUBEADM_KINDS,
  example: {
    failing: patched('maxPods: 60', 'kubelet+strategic.yaml'),
    corrected: patched('maxPods: 60', 'kubeletconfiguration+strategic.yaml'),
  },
  check: (object) => {
    const spec = kubeadmSpec(object);
    const folders = new Set(PARTS.flatMap((part) => stringAt(spec.value, part, 'patches', 'directory')?.replace(/\/$/, '') ?? []));
    const files = objectsAt(spec.value, 'files').flatMap(([file, index]) => {
      const path = stringAt(file, 'path') ?? '';
      return [{ folder: path.slice(0, path.lastIndexOf('/')), name: path.slice(path.lastIndexOf('/') + 1), at: [...spec.path, 'files', index, 'path'] }];
    });
    const unused = files.filter(({ folder, name }) => folder === PATCHES_DIRECTORY && TARGET.test(name));
    return [
      ...files.filter(({ folder }) => folders.has(folder)).flatMap(({ name, at }) => checkPatchName(name, at)),
      ...(folders.size > 0 || movesFiles(spec.value) ? [] : unused.map(({ at }) => ({
        path: at,
        message: 'kubeadm applies no patches: it is told of no folder of them',
        fix: `write joinConfiguration.patches.directory: ${PATCHES_DIRECTORY}, and initConfiguration's for a control plane`,
      }))),
    ];
  },
};

/** True if a command of the machine works with the folder of patches, so that they may be used in another way. */
function movesFiles(spec: unknown): boolean {
  return ['preKubeadmCommands', 'postKubeadmCommands', 'bootCommands'].some((list) => stringsAt(spec, list).some(([text]) => text.includes('patches')));
}

function checkPatchName(name: string, path: FieldPath): Finding[] {
  if (!/.+\.(json|yaml)$/.test(name)) return [{ path, message: `kubeadm ignores ${JSON.stringify(name)}`, accepted: 'names that end in .json or .yaml', fix: 'rename the file' }];
  const [, target, , plus, type] = TARGET.exec(name) ?? [];
  if (target === undefined) {
    const near = /^kubelet(?![a-z])/.test(name) ? 'kubeletconfiguration' : nearestName(name.replace(/[+.].*$/, ''), TARGETS);
    return [{
      path,
      message: `kubeadm ignores ${JSON.stringify(name)}, which has no target of patches`,
      accepted: TARGETS.join(', '),
      fix: near === undefined ? 'begin the name with one of these' : `begin the name with ${near}`,
    }];
  }
  return plus !== undefined && type === undefined ? [{
    path, message: `kubeadm knows no type of patch in ${JSON.stringify(name)}, and ends`, accepted: 'json, merge, strategic', fix: 'write one of these behind "+"',
  }] : [];
}

const NO_PATCHES: ManifestRule = {
  id: 'TC-TRAP-KUBEADM-PATCHES-MISSING',
  title: 'The folder of patches should have files: kubeadm ends if it does not exist, unless the image of the machine has it.',
  source: 'kubernetes/kubernetes v1.37.2 cmd/kubeadm/app/util/patches/patches.go:294-312 (getPatchSetsFromPath)',
  trap: true,
  warning: true,
  kinds: KUBEADM_KINDS,
  example: {
    failing: configTemplateYaml(`joinConfiguration:\n  patches:\n    directory: ${PATCHES_DIRECTORY}`),
    corrected: patched('maxPods: 60', 'kubeletconfiguration.yaml'),
  },
  check: (object) => {
    const spec = kubeadmSpec(object);
    const paths = objectsAt(spec.value, 'files').map(([file]) => stringAt(file, 'path') ?? '');
    return PARTS.flatMap((part) => {
      const folder = stringAt(spec.value, part, 'patches', 'directory')?.replace(/\/$/, '');
      if (folder === undefined || paths.some((path) => path.startsWith(`${folder}/`)) || movesFiles(spec.value)) return [];
      return [{
        path: [...spec.path, part, 'patches', 'directory'],
        message: `no file of the machine is in ${folder}, and kubeadm ends if the image does not have it`,
        fix: 'write the patches into files, or remove the folder',
      }];
    });
  },
};

function patchExample(failing: string, corrected: string): RuleExample {
  return { failing: patched(failing, 'kubeletconfiguration.yaml'), corrected: patched(corrected, 'kubeletconfiguration.yaml') };
}

function patched(fields: string, name: string): string {
  return configTemplateYaml(`joinConfiguration:
  patches:
    directory: ${PATCHES_DIRECTORY}
files:
  - path: ${PATCHES_DIRECTORY}/${name}
    content: |
      apiVersion: kubelet.config.k8s.io/v1beta1
      kind: KubeletConfiguration
${indented(fields, 6)}`);
}

/** Rules for the configuration of kubelets. */
export const KUBELET: readonly ManifestRule[] = [FIELD, VALUE, EVICTION, RESERVATION, PATCH_FILE, NO_PATCHES];
