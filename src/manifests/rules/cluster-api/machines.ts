import {
  CLUSTER, CLUSTER_CLASS, CLUSTER_NAME_LABEL, CORE_WEBHOOKS, isV1beta1, KUBEADM_CONFIG_TEMPLATE, KUBEADM_CONTROL_PLANE,
  KUBEADM_CONTROL_PLANE_TEMPLATE, lacksSpec, MACHINE, MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET,
} from './cluster-api-kinds';
import { gateYaml, machineYaml, poolYaml } from './example-manifests';
import { isGateOn, turnOn } from './feature-gates';
import { machineSpecPath, metadataPaths, taintPlaces } from './machine-places';
import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { fieldAt, FieldPath, isFields, isFilled, isSet, objectsAt, stringAt } from '../../values/fields';
import { allOf, findingsAt } from '../../values/finding';
import { checkAnnotations, checkLabels } from '../../values/labels';
import { parseSemanticVersion } from '../../values/semantic-version';
import { checkTaintOwner } from '../../values/taints';
import { checkNameTemplate, templateFields } from '../go-templates';
import { ManifestRule } from '../manifest-rule';

const MACHINE_BOOTSTRAP: ManifestRule = {
  id: 'TC-ADMIT-MACHINE-BOOTSTRAP',
  title: 'A machine must have bootstrap.configRef or bootstrap.dataSecretName.',
  source: `${CORE_WEBHOOKS}/{machine,machinedeployment,machineset,machinepool}.go`,
  kinds: [MACHINE, MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET],
  example: { failing: machineYaml({ bootstrap: '{}' }), corrected: machineYaml({ bootstrap: 'dataSecretName: acme-general-0' }) },
  check: (object) => {
    // A spec or a bootstrap that is not there is reported as such.
    const bootstrap = lacksSpec(object) ? {} : fieldAt(object, ...machineSpecPath(object), 'bootstrap');
    if (!isFields(bootstrap)) return [];
    // An empty name of a Secret counts: the machine then waits for no bootstrap data.
    const isSetUp = isFilled(bootstrap, 'configRef') || isSet(bootstrap, 'dataSecretName');
    return isSetUp || (groupKind(object) === MACHINE && isOfMachinePool(object)) ? [] : [{
      path: [...machineSpecPath(object), 'bootstrap'],
      message: 'it names neither configRef nor dataSecretName',
      accepted: 'configRef with apiGroup, kind and name, or dataSecretName',
      fix: groupKind(object) === MACHINE
        ? 'name the bootstrap configuration of the machine, such as a KubeadmConfig'
        : 'name the bootstrap template of the machines, such as a KubeadmConfigTemplate',
    }];
  },
};

/** Machines of a MachinePool are set up as the pool says (`util/labels` `IsMachinePoolOwned`). */
function isOfMachinePool(object: ManifestObject): boolean {
  return isSet(object, 'metadata', 'labels', 'cluster.x-k8s.io/pool-name')
    || objectsAt(object, 'metadata', 'ownerReferences').some(([owner]) => owner.kind === 'MachinePool');
}

const LABELS = (zone: string) => `labels:\n  cluster.x-k8s.io/deployment-name: acme-general\n  example.com/zone: ${zone}`;

/** Labels and annotations that machines, or what makes them, are given. */
const MACHINE_METADATA: ManifestRule = {
  id: 'TC-ADMIT-MACHINE-METADATA',
  title: 'Labels and annotations in templates and of ClusterClass variables must be valid, and the annotations of one object at most 256 KiB.',
  source: 'kubernetes-sigs/cluster-api api/core/v1beta2/common_types.go (ObjectMeta.Validate)',
  kinds: [
    CLUSTER, CLUSTER_CLASS, KUBEADM_CONFIG_TEMPLATE, KUBEADM_CONTROL_PLANE, KUBEADM_CONTROL_PLANE_TEMPLATE, MACHINE_DEPLOYMENT, MACHINE_POOL,
    MACHINE_SET,
  ],
  example: {
    failing: poolYaml({ templateMetadata: LABELS('rack 7') }),
    corrected: poolYaml({ templateMetadata: LABELS('rack-7') }),
  },
  check: (object) => metadataPaths(object).flatMap((path) => {
    const metadata = fieldAt(object, ...path);
    if (!isFields(metadata)) return [];
    return allOf(
      findingsAt([...path, 'labels'], checkLabels(textsOf(metadata.labels)).filter(({ path: [key] }) => !isOverwritten(object, key))),
      metadata.annotations === undefined ? [] : findingsAt([...path, 'annotations'], checkAnnotations(textsOf(metadata.annotations))),
    );
  }),
};

/** The webhook writes the cluster's name into the labels of the machines of a MachineDeployment, and replaces other values. */
function isOverwritten(object: ManifestObject, key: string | number): boolean {
  return key === CLUSTER_NAME_LABEL && groupKind(object) === MACHINE_DEPLOYMENT;
}

/** Values of other types are reported by the check of structure. */
function textsOf(map: unknown): Record<string, string> {
  if (!isFields(map)) return {};
  return Object.fromEntries(Object.entries(map).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

const MARK = '{{ .random }}';
const MAKERS: Readonly<Record<string, string>> = {
  [MACHINE_DEPLOYMENT]: 'machineSet', [MACHINE_SET]: 'machineSet', [KUBEADM_CONTROL_PLANE]: 'kubeadmControlPlane', [KUBEADM_CONTROL_PLANE_TEMPLATE]: 'kubeadmControlPlane',
};

/** Templates of machines' names. */
const MACHINE_NAMING: ManifestRule = {
  id: 'TC-ADMIT-MACHINE-NAMING',
  title: `A template of machine names must contain ${MARK}, and must produce valid object names.`,
  source: `${CORE_WEBHOOKS}/{machinedeployment,machineset}.go, controlplane/kubeadm/webhooks/admission/kubeadmcontrolplane.go`,
  kinds: Object.keys(MAKERS),
  example: {
    failing: poolYaml({ spec: 'machineNaming:\n  template: "{{ .machineSet.name }}"' }),
    corrected: poolYaml({ spec: `machineNaming:\n  template: "{{ .machineSet.name }}-${MARK}"` }),
  },
  check: (object) => {
    const path = namingPath(object);
    const template = stringAt(object, ...path);
    if (template === undefined) return [];
    const maker = MAKERS[groupKind(object)];
    const sample = { cluster: { name: 'acme' }, [maker]: { name: 'acme-general' } };
    const message = template.includes(MARK) ? checkNameTemplate(template, sample) : `${JSON.stringify(template)} has no ${MARK}, so all machines would have one name`;
    return message === undefined ? [] : [{
      path, message, accepted: templateFields(sample), fix: `write a template such as "{{ .${maker}.name }}-${MARK}"`,
    }];
  },
};

function namingPath(object: ManifestObject): FieldPath {
  const spec = groupKind(object) === KUBEADM_CONTROL_PLANE_TEMPLATE ? ['spec', 'template', 'spec'] : ['spec'];
  return [...spec, isV1beta1(object) ? 'machineNamingStrategy' : 'machineNaming', 'template'];
}

const GATE = 'MachineTaintPropagation';
const IN_TEMPLATES = [CLUSTER, CLUSTER_CLASS, KUBEADM_CONTROL_PLANE, KUBEADM_CONTROL_PLANE_TEMPLATE, MACHINE, MACHINE_DEPLOYMENT, MACHINE_SET];
const GATE_ON = gateYaml(GATE);
const TAINT = (key: string) => `taints:\n  - key: ${key}\n    effect: NoSchedule\n    propagation: Always`;
const FIX_BY_KUBELET = 'let the nodes register with the taint: nodeRegistration.taints of their KubeadmConfigTemplate';

/** Keys that controllers of Kubernetes or Cluster API use. */
const RESERVED: ManifestRule = {
  id: 'TC-ADMIT-MACHINE-TAINT',
  title: 'Taints of machines must not have keys that controllers of Kubernetes or Cluster API use.',
  source: 'kubernetes-sigs/cluster-api internal/util/taints/validation.go, core/webhooks/admission/machine.go',
  kinds: IN_TEMPLATES,
  example: {
    failing: poolYaml({ machine: TAINT('node.kubernetes.io/unreachable') }) + GATE_ON,
    corrected: poolYaml({ machine: TAINT('example.com/dedicated') }) + GATE_ON,
  },
  check: (object) => taintPlaces(object).flatMap(({ path, workers }) => listed(fieldAt(object, ...path)).flatMap((taint, index) => {
    const message = checkTaintOwner(stringAt(taint, 'key') ?? '', workers);
    return message === undefined ? [] : [{ path: [...path, index, 'key'], message, fix: 'use a key of your own, or remove the taint' }];
  })),
};

/** Taints at all. */
const GATED: ManifestRule = {
  id: 'TC-ADMIT-MACHINE-TAINT-GATE',
  title: `Taints of machines require Cluster API's feature gate ${GATE}, which is off by default.`,
  source: 'kubernetes-sigs/cluster-api internal/util/taints/validation.go, feature/feature.go',
  warning: true,
  kinds: IN_TEMPLATES,
  example: { failing: poolYaml({ machine: TAINT('example.com/dedicated') }), corrected: poolYaml({ machine: TAINT('example.com/dedicated') }) + GATE_ON },
  // Once for each object: it is one gate.
  check: (object, index) => (isGateOn(GATE, index) ? [] : taintedPaths(object).slice(0, 1).map((path) => ({
    path, message: `a Cluster API without the feature gate ${GATE} refuses taints here`, fix: `${turnOn(GATE)}; or ${FIX_BY_KUBELET}`,
  }))),
};

/** Taints of a MachinePool, which no controller reads. */
const OF_MACHINE_POOL: ManifestRule = {
  id: 'TC-ADMIT-POOL-TAINTS',
  title: 'A MachinePool cannot have taints: Cluster API does not support them.',
  source: `${CORE_WEBHOOKS}/machinepool.go`,
  kinds: [MACHINE_POOL],
  example: { failing: poolYaml({ kind: 'MachinePool', machine: TAINT('example.com/dedicated') }), corrected: poolYaml({ kind: 'MachinePool' }) },
  check: (object) => taintedPaths(object).map((path) => ({
    path, message: 'taints are not supported in a MachinePool', fix: FIX_BY_KUBELET,
  })),
};

function taintedPaths(object: ManifestObject): FieldPath[] {
  return taintPlaces(object).map(({ path }) => path).filter((path) => listed(fieldAt(object, ...path)).length > 0);
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The Kubernetes version of machines, of a control plane, of a topology. */
const MACHINE_VERSION: ManifestRule = {
  id: 'TC-ADMIT-MACHINE-VERSION',
  title: 'A Kubernetes version must be a full semantic version.',
  source: `${CORE_WEBHOOKS}/{cluster,machine,machinedeployment,machineset,machinepool}.go, controlplane/kubeadm/webhooks/admission/kubeadmcontrolplane.go`,
  kinds: [CLUSTER, KUBEADM_CONTROL_PLANE, MACHINE, MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET],
  example: { failing: poolYaml({ machine: 'version: v1.35' }), corrected: poolYaml({ machine: 'version: v1.35.4' }) },
  check: (object) => {
    const path = versionPath(object);
    const version = stringAt(object, ...path);
    return version === undefined || parseSemanticVersion(version) ? [] : [{
      path,
      message: `${JSON.stringify(version)} is not a full version`,
      accepted: 'major, minor and patch without leading zeros, such as "v1.35.4"',
      fix: 'write the version of a release, with its patch',
    }];
  },
};

/** Path of the Kubernetes version of an object's machines. */
export function versionPath(object: ManifestObject): FieldPath {
  switch (groupKind(object)) {
    case CLUSTER: return ['spec', 'topology', 'version'];
    case KUBEADM_CONTROL_PLANE: return ['spec', 'version'];
    default: return [...machineSpecPath(object), 'version'];
  }
}

/** Rules for the machines of Machines, pools and control planes. */
export const MACHINES: readonly ManifestRule[] = [
  MACHINE_BOOTSTRAP, MACHINE_METADATA, MACHINE_NAMING, RESERVED, GATED, OF_MACHINE_POOL, MACHINE_VERSION,
];
