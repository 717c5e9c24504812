import { CLUSTER_CLASS, CORE_WEBHOOKS, isV1beta1 } from './cluster-api-kinds';
import { clusterClassYaml, gateYaml, workerClassYaml } from './example-manifests';
import { topologyPath, WorkerList, workerPaths } from './machine-places';
import { ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { fieldAt, FieldPath, Fields, isFields, isFilled, isSet, objectsAt, sameValue, stringAt, stringsAt } from '../../values/fields';
import { Finding } from '../../values/finding';
import { parseSemanticVersion, SemanticVersion } from '../../values/semantic-version';
import { checkNameTemplate, templateFields } from '../go-templates';
import { Lookup, ManifestIndex } from '../manifest-index';
import { ManifestRule } from '../manifest-rule';
import { ObjectReference, objectReference } from '../references/object-references';

/** Name and namespace of the ClusterClass of a Cluster. Older versions name it in other fields. */
export function classNameOf(cluster: ManifestObject) {
  const topology = fieldAt(cluster, 'spec', 'topology');
  return {
    name: stringAt(topology, 'classRef', 'name') ?? stringAt(topology, 'class'),
    namespace: stringAt(topology, 'classRef', 'namespace') ?? stringAt(topology, 'classNamespace') ?? namespaceOf(cluster),
  };
}

const CLASSES = new Lookup([CLUSTER_CLASS], (object) => [namespaceOf(object), nameOf(object)]);

/** The ClusterClasses of the name that a Cluster states: several where files for different management clusters are read together. */
export function classesOf(cluster: ManifestObject, index: ManifestIndex): readonly ManifestObject[] {
  const { name, namespace } = classNameOf(cluster);
  const found = name === undefined ? undefined : index.find(CLUSTER_CLASS, namespace, name);
  return found ? CLASSES.find(index, namespaceOf(found), name).filter((one) => one === found || !sameValue(one, found)) : [];
}

/** The ClusterClass of a Cluster, if it is among the manifests, and no other one has its name. */
export function classOf(cluster: ManifestObject | undefined, index: ManifestIndex): ManifestObject | undefined {
  const found = cluster ? classesOf(cluster, index) : [];
  return found.length === 1 ? found[0] : undefined;
}

/** Reference of a part of a ClusterClass; patches of the class may change everything of its object but the kind. */
export function classReference(clusterClass: ManifestObject | undefined, part: unknown): ObjectReference | undefined {
  const reference = objectReference(fieldAt(part, 'templateRef')) ?? objectReference(fieldAt(part, 'ref'));
  return reference && { ...reference, namespace: reference.namespace ?? (clusterClass && namespaceOf(clusterClass)) };
}

/** The kind of a Cluster's control plane. */
export function controlPlaneKind(cluster: ManifestObject | undefined, index: ManifestIndex): string | undefined {
  const clusterClass = classOf(cluster, index);
  const ofClass = classReference(clusterClass, fieldAt(clusterClass, 'spec', 'controlPlane'))?.kind.replace(/Template$/, '');
  return objectReference(fieldAt(cluster, 'spec', 'controlPlaneRef'))?.kind ?? ofClass;
}

/** The pools of a Cluster's topology, or the classes of pools of a ClusterClass, each with its position. */
export function workersOf(object: ManifestObject, list: WorkerList): readonly (readonly [Fields, number])[] {
  const root = topologyPath(object);
  return root ? objectsAt(object, ...root.map(String), 'workers', list) : [];
}

/** The health check that a control plane or a pool has in a topology or a class. */
export function healthCheckOf(object: ManifestObject, owner: unknown): Fields | undefined {
  const found = fieldAt(owner, isV1beta1(object) ? 'machineHealthCheck' : 'healthCheck');
  return isFields(found) ? found : undefined;
}

/** True if a health check says when a machine is to be replaced, and not only that it is on or off. */
export function saysWhen(healthCheck: Fields | undefined): boolean {
  return healthCheck !== undefined && Object.keys(healthCheck).some((field) => field !== 'enabled' && field !== 'enable');
}

/** Labels and annotations of a class of pools. */
export function classMetadata(object: ManifestObject, workerClass: Fields): unknown {
  return isV1beta1(object) ? fieldAt(workerClass, 'template', 'metadata') : workerClass.metadata;
}

const GATE_ON = gateYaml('ClusterTopology');
const SUFFIX = 'Template';
const VARIABLE = (name: string) => `variables:\n  - name: ${name}\n    required: false\n    schema:\n      openAPIV3Schema:\n        type: string`;

const TEMPLATE: ManifestRule = {
  id: 'TC-ADMIT-CLASS-TEMPLATE',
  title: 'References of a ClusterClass must name templates, with apiVersion, kind and name: the kind must end in "Template".',
  source: 'kubernetes-sigs/cluster-api internal/topology/check/compatibility.go (ClusterClassTemplateIsValid)',
  kinds: [CLUSTER_CLASS],
  example: {
    failing: clusterClassYaml(workerClassYaml('', 'KubevirtMachine')) + GATE_ON, corrected: clusterClassYaml(workerClassYaml()) + GATE_ON,
  },
  check: (object) => templatePaths(object).flatMap((path) => {
    const reference = fieldAt(object, ...path);
    const kind = stringAt(reference, 'kind');
    return [
      ...['apiVersion', 'kind', 'name'].filter((field) => isV1beta1(object) && stringAt(reference, field) === undefined).map((field) => ({
        path: [...path, field], message: 'it is empty, or missing', fix: 'write apiVersion, kind and name of the template',
      })),
      ...(kind === undefined || (kind.length > SUFFIX.length && kind.endsWith(SUFFIX)) ? [] : [{
        path: [...path, 'kind'], message: `${JSON.stringify(kind)} is not the kind of a template`, accepted: `kinds such as ${kind}${SUFFIX}`, fix: 'refer to a template',
      }]),
    ];
  }),
};

const NAMING: ManifestRule = {
  id: 'TC-ADMIT-CLASS-NAMING',
  title: 'A name template of a ClusterClass must produce valid object names.',
  source: `${CORE_WEBHOOKS}/clusterclass.go (validateNamingStrategies)`,
  kinds: [CLUSTER_CLASS],
  example: {
    failing: clusterClassYaml('  naming:\n    template: "{{ .clusterName }}"') + GATE_ON, corrected: clusterClassYaml('  naming:\n    template: "{{ .cluster.name }}"') + GATE_ON,
  },
  check: (object) => {
    const field = isV1beta1(object) ? 'namingStrategy' : 'naming';
    const infrastructure = isV1beta1(object) ? ['spec', 'infrastructureNamingStrategy'] : ['spec', 'infrastructure', 'naming'];
    const cluster = { cluster: { name: 'acme' } };
    return [
      ...namingFault(object, infrastructure, cluster),
      ...namingFault(object, ['spec', 'controlPlane', field], cluster),
      ...workerPaths(object, 'machineDeployments').flatMap((path) => namingFault(object, [...path, field], { ...cluster, machineDeployment: { topologyName: 'general' } })),
      ...workerPaths(object, 'machinePools').flatMap((path) => namingFault(object, [...path, field], { ...cluster, machinePool: { topologyName: 'general' } })),
    ];
  },
};

const VERSIONS: ManifestRule = {
  id: 'TC-ADMIT-CLASS-VERSIONS',
  title: 'The versions of a ClusterClass must be in ascending order, without gaps between minor versions.',
  source: `${CORE_WEBHOOKS}/clusterclass.go (validateKubernetesVersions)`,
  kinds: [CLUSTER_CLASS],
  example: { failing: clusterClassYaml('kubernetesVersions: [v1.33.9, v1.35.4]') + GATE_ON, corrected: clusterClassYaml('kubernetesVersions: [v1.33.9, v1.34.7, v1.35.4]') + GATE_ON },
  check: (object) => {
    // Pre-releases and builds are left out: their order does not matter here. The webhook also reads strings that are not full versions.
    const versions = stringsAt(object, 'spec', 'kubernetesVersions').filter(([text]) => /^v?[\d.]+$/.test(text))
      .map(([text, at]) => ({ text, at, version: parseSemanticVersion(text) }));
    return versions.slice(1).flatMap(({ text, at, version }, index) => {
      const before = versions[index];
      if (!version || !before.version) return [];
      const steps = version.minor - before.version.minor;
      if (compare(version, before.version) > 0 && (steps === 0 || steps === 1)) return [];
      return [{
        path: ['spec', 'kubernetesVersions', at],
        message: `${JSON.stringify(text)} cannot come after ${JSON.stringify(before.text)}`,
        accepted: 'a later version of the same or the next minor',
        fix: 'sort the versions, and add one of each minor between',
      }];
    });
  },
};

const VARIABLE_NAME: ManifestRule = {
  id: 'TC-ADMIT-CLASS-VARIABLE',
  title: 'The name of a variable must be unique in its ClusterClass, must not contain dots, and must not be "builtin".',
  source: 'kubernetes-sigs/cluster-api internal/topology/variables/clusterclass_variable_validation.go',
  kinds: [CLUSTER_CLASS],
  example: { failing: clusterClassYaml(VARIABLE('node.image')) + GATE_ON, corrected: clusterClassYaml(VARIABLE('nodeImage')) + GATE_ON },
  check: (object) => {
    const names = objectsAt(object, 'spec', 'variables').map(([variable, at]) => ({ name: stringAt(variable, 'name'), at }));
    return names.flatMap(({ name, at }, index) => {
      const isTaken = names.slice(0, index).some((other) => other.name === name);
      if (name === undefined || !(isTaken || name === 'builtin' || name.includes('.'))) return [];
      const message = isTaken ? `there are two variables ${JSON.stringify(name)}` : `${JSON.stringify(name)} is not a name of a variable`;
      const isDotted = !isTaken && name.includes('.');
      return [{
        path: ['spec', 'variables', at, 'name'],
        message,
        accepted: isTaken ? undefined : 'names without dots other than "builtin"',
        fix: isDotted ? `write ${JSON.stringify(name.replace(/\.+/g, '-'))}` : 'choose another name',
      }];
    });
  },
};

export const CLUSTER_CLASS_SHAPE: readonly ManifestRule[] = [TEMPLATE, NAMING, VERSIONS, VARIABLE_NAME];

/** The references of a ClusterClass that are written, or that the webhook requires and the schema does not. */
function templatePaths(object: ManifestObject): FieldPath[] {
  const field = isV1beta1(object) ? 'ref' : 'templateRef';
  const parts = ['infrastructure', 'controlPlane'].map((part) => ['spec', part]);
  const optional = ['spec', 'controlPlane', 'machineInfrastructure'];
  const workers = workerPaths(object, 'machineDeployments', 'machinePools')
    .flatMap((path) => ['bootstrap', 'infrastructure'].map((part) => (isV1beta1(object) ? [...path, 'template', part] : [...path, part])));
  return [
    ...parts.filter((path) => isV1beta1(object) && !isSet(object, ...path)),
    ...[...parts, ...workers].filter((path) => isFields(fieldAt(object, ...path, field))),
    ...(isFilled(object, ...optional, field) ? [optional] : []),
  ].map((path) => [...path, field]);
}

function namingFault(object: ManifestObject, owner: FieldPath, sample: Readonly<Record<string, unknown>>): Finding[] {
  const path = [...owner, 'template'];
  const template = stringAt(object, ...path);
  const message = template === undefined ? undefined : checkNameTemplate(template, sample);
  return message === undefined ? [] : [{ path, message, accepted: templateFields(sample), fix: 'use only these values' }];
}

function compare(one: SemanticVersion, other: SemanticVersion): number {
  return one.major - other.major || one.minor - other.minor || one.patch - other.patch;
}
