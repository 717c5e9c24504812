import { CLUSTER } from './cluster-api-kinds';
import { classOf } from './cluster-classes';
import { clusterClassYaml, gateYaml, topologyYaml } from './example-manifests';
import { workerPaths } from './machine-places';
import { ManifestObject } from '../../objects/manifest-object';
import { nameWords } from '../../schema/value-words';
import { fieldAt, FieldPath, isSet, objectsAt, stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';
import { nearestName } from '../../values/nearest-name';
import { ManifestRule } from '../manifest-rule';

const VARIABLES = 'variables:\n  - name: image\n    required: true\n    schema:\n      openAPIV3Schema:\n        type: string';
/** Where a topology has its values. */
export const TOPOLOGY_VALUES: FieldPath = ['spec', 'topology', 'variables'];

/** The variables of a topology. */
export const TOPOLOGY_VARIABLES: ManifestRule = {
  id: 'TC-ADMIT-TOPOLOGY-VARIABLE',
  title: 'Variables of a topology must be defined in its ClusterClass, and all required variables must have values.',
  source: 'kubernetes-sigs/cluster-api internal/topology/variables/cluster_variable_validation.go',
  kinds: [CLUSTER],
  example: { failing: valued('imgae'), corrected: valued('image') },
  check: (object, index) => {
    const clusterClass = classOf(object, index);
    if (!clusterClass || definesElsewhere(clusterClass)) return [];
    const defined = objectsAt(clusterClass, 'spec', 'variables').map(([variable]) => variable).filter(({ name }) => typeof name === 'string');
    const names = new Set(defined.map(({ name }) => name as string));
    const given = new Set(objectsAt(object, ...TOPOLOGY_VALUES.map(String)).map(([{ name }]) => name));
    const missing = defined.filter(({ name, required, schema }) => (
      required === true && !given.has(name) && fieldAt(schema, 'openAPIV3Schema', 'default') === undefined
    )).map(({ name }) => name as string);
    return [
      ...[TOPOLOGY_VALUES, ...overridePaths(object)].flatMap((path) => unknownIn(object, path, names)),
      ...missing.map((name) => ({ path: TOPOLOGY_VALUES, message: `the variable ${JSON.stringify(name)} is missing, and the ClusterClass requires it`, fix: `add an entry with name: ${name} and its value` })),
    ];
  },
};

function valued(name: string): string {
  const known = name === 'image' ? '' : '  - name: image\n    value: node-v1.35.4\n';
  return `${topologyYaml(`variables:\n${known}  - name: ${name}\n    value: node-v1.35.4`)}---\n${clusterClassYaml(VARIABLES)}${gateYaml('ClusterTopology')}`;
}

/** True if extensions define variables of a class, which are written nowhere. */
export function definesElsewhere(clusterClass: ManifestObject): boolean {
  return objectsAt(clusterClass, 'spec', 'patches').some(([patch]) => isSet(patch, 'external', 'discoverVariablesExtension'));
}

/** Where parts of a topology have values of their own. */
export function overridePaths(object: ManifestObject): FieldPath[] {
  return [['spec', 'topology', 'controlPlane'], ...workerPaths(object, 'machineDeployments', 'machinePools')].map((path) => [...path, 'variables', 'overrides']);
}

function unknownIn(object: ManifestObject, path: FieldPath, names: ReadonlySet<string>): Finding[] {
  const accepted = names.size === 0 ? undefined : nameWords([...names]);
  return objectsAt(object, ...path.map(String)).flatMap(([variable, index]) => {
    const name = stringAt(variable, 'name');
    if (name === undefined || names.has(name)) return [];
    const near = nearestName(name, names);
    return [{
      path: [...path, index, 'name'],
      message: `the ClusterClass defines no variable ${JSON.stringify(name)}`,
      accepted,
      fix: near === undefined ? 'name a variable that it defines, or define it there' : `write ${JSON.stringify(near)}`,
    }];
  });
}
