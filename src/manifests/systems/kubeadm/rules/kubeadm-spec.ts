import { groupKind, ManifestObject } from '../../../objects/manifest-object';
import {
  KUBEADM_CONFIG, KUBEADM_CONFIG_TEMPLATE, KUBEADM_CONTROL_PLANE, KUBEADM_CONTROL_PLANE_TEMPLATE,
} from '../../../rules/cluster-api/cluster-api-kinds';
import { controlPlaneYaml } from '../../../rules/cluster-api/example-manifests';
import { indented } from '../../../rules/example-text';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ofOneObject } from '../../../rules/of-one-object';
import { machineOwners } from '../../../rules/references/object-references';
import { PlacedFlag } from '../../../values/control-plane-flags';
import { fieldAt, FieldPath, isFields, objectsAt, stringAt } from '../../../values/fields';
import { parseSemanticVersion } from '../../../values/semantic-version';

const PATHS: Readonly<Record<string, readonly string[]>> = {
  [KUBEADM_CONFIG]: ['spec'],
  [KUBEADM_CONFIG_TEMPLATE]: ['spec', 'template', 'spec'],
  [KUBEADM_CONTROL_PLANE]: ['spec', 'kubeadmConfigSpec'],
  [KUBEADM_CONTROL_PLANE_TEMPLATE]: ['spec', 'template', 'spec', 'kubeadmConfigSpec'],
};

/** Kinds with kubeadm's configuration of machines. */
export const KUBEADM_KINDS: readonly string[] = Object.keys(PATHS);

/** Kinds of control planes. */
export const CONTROL_PLANE_KINDS = [KUBEADM_CONTROL_PLANE, KUBEADM_CONTROL_PLANE_TEMPLATE];

/** Sources of the webhooks of kubeadm's providers. */
export const BOOTSTRAP_WEBHOOK = 'kubernetes-sigs/cluster-api bootstrap/kubeadm/webhooks/admission/kubeadmconfig.go';
export const CONTROL_PLANE_WEBHOOK = 'kubernetes-sigs/cluster-api controlplane/kubeadm/webhooks/admission/kubeadmcontrolplane.go';

/** Source of their schemas. */
export const BOOTSTRAP_SCHEMA = 'kubernetes-sigs/cluster-api bootstrap/kubeadm/config/crd/bases/bootstrap.cluster.x-k8s.io_kubeadmconfigs.yaml (x-kubernetes-validations)';

/** A kubeadm configuration, and its path. */
export interface KubeadmSpec {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** The kubeadm configuration of an object. */
export const kubeadmSpec = ofOneObject((object: ManifestObject): KubeadmSpec => {
  const path = PATHS[groupKind(object)];
  return { path, value: fieldAt(object, ...path) };
});

/** The spec of a control plane or of its template, kubeadm's part included. */
export function controlPlaneSpec(object: ManifestObject): KubeadmSpec {
  const path = PATHS[groupKind(object)].slice(0, -1);
  return { path, value: fieldAt(object, ...path) };
}

/** A path below the kubeadm configuration. */
export function below({ path }: KubeadmSpec, ...rest: FieldPath): FieldPath {
  return [...path, ...rest];
}

/** Extra arguments: a list in v1beta2, a map in v1beta1. */
export function argumentsAt(value: unknown, path: readonly string[]): PlacedFlag[] {
  const found = fieldAt(value, ...path);
  if (isFields(found)) {
    return Object.entries(found).flatMap(([name, text]) => (typeof text === 'string' ? [{ name, value: text, path: [...path, name] }] : []));
  }
  if (!Array.isArray(found)) return [];
  return objectsAt(value, ...path).flatMap(([argument, index]) => {
    const name = stringAt(argument, 'name');
    return name === undefined || typeof argument.value !== 'string' ? [] : [{ name, value: argument.value, path: [...path, index] }];
  });
}

/** The minor version of Kubernetes on the machines; undefined if it is unset or ambiguous. */
export function kubernetesMinor(object: ManifestObject, index: ManifestIndex): string | undefined {
  const versions = groupKind(object) === KUBEADM_CONTROL_PLANE ? [stringAt(object, 'spec', 'version')]
    : machineOwners(object, index).map((owner) => stringAt(owner, 'spec', 'template', 'spec', 'version'));
  const minors = new Set(versions.map((text) => {
    const version = text === undefined ? undefined : parseSemanticVersion(text);
    return version && `${version.major}.${version.minor}`;
  }));
  return minors.size === 1 ? [...minors][0] : undefined;
}

// Manifests for the examples of rules: as small as their schemas allow.

/** A KubeadmConfigTemplate with this spec. */
export function configTemplateYaml(spec: string, version = 'v1beta2'): string {
  return `apiVersion: bootstrap.cluster.x-k8s.io/${version}
kind: KubeadmConfigTemplate
metadata:
  name: acme-general
  namespace: tenant-acme
spec:
  template:
    spec:
${indented(spec, 6)}`;
}

/** A KubeadmControlPlane with this cluster configuration, and further fields. */
export function clusterConfigurationYaml(configuration: string, spec = ''): string {
  return controlPlaneYaml(`${spec}kubeadmConfigSpec:\n  clusterConfiguration:\n${indented(configuration, 4)}`);
}
