import { CLUSTER_CLASS, CORE_WEBHOOKS, isV1beta1 } from './cluster-api-kinds';
import { clusterClassYaml, gateYaml, workerClassYaml } from './example-manifests';
import { textAtPath } from './field-at-path';
import { workerPaths } from './machine-places';
import { ManifestObject, textAt } from '../../../images/manifest-object';
import { parseSemanticVersion, SemanticVersion } from '../../../kubernetes/semantic-version';
import { mapsAt, textsAt } from '../manifest-fields';
import { FieldPath, ManifestFinding, ManifestRule } from '../manifest-rule';
import { checkNameTemplate, templateFields } from '../name-templates';
import { referencesOf } from '../references/object-references';

const GATE_ON = gateYaml('ClusterTopology');
const SUFFIX = 'Template';
const VARIABLE = (name: string) => `variables:\n  - name: ${name}\n    required: false\n    schema:\n      openAPIV3Schema:\n        type: string`;

const TEMPLATE: ManifestRule = {
  id: 'TC-ADMIT-CLASS-TEMPLATE',
  title: 'What a ClusterClass refers to are templates: their kind ends in "Template".',
  source: 'kubernetes-sigs/cluster-api internal/topology/check/compatibility.go (ClusterClassTemplateIsValid)',
  kinds: [CLUSTER_CLASS],
  example: {
    failing: clusterClassYaml(workerClassYaml('', 'KubevirtMachine')) + GATE_ON, corrected: clusterClassYaml(workerClassYaml()) + GATE_ON,
  },
  check: (object) => referencesOf(object).flatMap(({ reference, path }) => {
    const kind = reference.kind.split('/').pop()!;
    return kind.length > SUFFIX.length && kind.endsWith(SUFFIX) ? [] : [{
      path: [...path, 'kind'], message: `${JSON.stringify(kind)} is not the kind of a template`, accepted: `kinds such as ${kind}${SUFFIX}`, fix: 'refer to a template',
    }];
  }),
};

const NAMING: ManifestRule = {
  id: 'TC-ADMIT-CLASS-NAMING',
  title: 'A template of names in a ClusterClass makes names that objects may have.',
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
  title: 'The versions of a ClusterClass rise, and leave out no minor version.',
  source: `${CORE_WEBHOOKS}/clusterclass.go (validateKubernetesVersions)`,
  kinds: [CLUSTER_CLASS],
  example: { failing: clusterClassYaml('kubernetesVersions: [v1.33.9, v1.35.4]') + GATE_ON, corrected: clusterClassYaml('kubernetesVersions: [v1.33.9, v1.34.7, v1.35.4]') + GATE_ON },
  check: (object) => {
    // Pre-releases and builds are ordered too, by rules that nobody needs here; the webhook reads even texts that are not full versions.
    const versions = textsAt(object, 'spec', 'kubernetesVersions').filter(([text]) => /^v?[\d.]+$/.test(text))
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
  title: 'A variable of a ClusterClass has a name of its own without dots, and not "builtin".',
  source: 'kubernetes-sigs/cluster-api internal/topology/variables/clusterclass_variable_validation.go',
  kinds: [CLUSTER_CLASS],
  example: { failing: clusterClassYaml(VARIABLE('node.image')) + GATE_ON, corrected: clusterClassYaml(VARIABLE('nodeImage')) + GATE_ON },
  check: (object) => {
    const names = mapsAt(object, 'spec', 'variables').map(([variable, at]) => ({ name: textAt(variable, 'name'), at }));
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

function namingFault(object: ManifestObject, owner: FieldPath, sample: Readonly<Record<string, unknown>>): ManifestFinding[] {
  const path = [...owner, 'template'];
  const template = textAtPath(object, path);
  const message = template === undefined ? undefined : checkNameTemplate(template, sample);
  return message === undefined ? [] : [{ path, message, accepted: templateFields(sample), fix: 'use the values that there are' }];
}

function compare(one: SemanticVersion, other: SemanticVersion): number {
  return one.major - other.major || one.minor - other.minor || one.patch - other.patch;
}
