import { CLUSTER } from './cluster-api-kinds';
import { classOf } from './cluster-classes';
import { clusterClassYaml, gateYaml, topologyYaml } from './example-manifests';
import { definesElsewhere, overridePaths, TOPOLOGY_VALUES } from './topology-variables';
import { checkVariable, readSchema } from './variable-schemas';
import { faultWords } from '../../schema/finding-words';
import { JsonSchema } from '../../schema/json-schema';
import { fieldAt, isSet, objectsAt, stringAt } from '../../values/fields';
import { ManifestRule } from '../manifest-rule';

const VARIABLES = 'variables:\n  - name: image\n    required: true\n    schema:\n      openAPIV3Schema:\n        type: string\n        pattern: ^node-v';

/** The values of a topology. */
export const TOPOLOGY_VALUE: ManifestRule = {
  id: 'TC-ADMIT-TOPOLOGY-VALUE',
  title: 'The value of a variable, of a topology or an override, must match the schema in the ClusterClass. CEL rules are not evaluated.',
  source: 'kubernetes-sigs/cluster-api internal/topology/variables/cluster_variable_validation.go (ValidateClusterVariable)',
  kinds: [CLUSTER],
  example: { failing: valued('ubuntu-24.04'), corrected: valued('node-v1.35.4') },
  check: (object, index) => {
    const clusterClass = classOf(object, index);
    if (!clusterClass || definesElsewhere(clusterClass)) return [];
    const schemas = new Map<string | undefined, JsonSchema>();
    for (const [variable] of objectsAt(clusterClass, 'spec', 'variables')) {
      const schema = readSchema(fieldAt(variable, 'schema', 'openAPIV3Schema'));
      // Of two variables with one name the first counts.
      if (schema && !schemas.has(stringAt(variable, 'name'))) schemas.set(stringAt(variable, 'name'), schema);
    }
    return [TOPOLOGY_VALUES, ...overridePaths(object)].flatMap((path) => objectsAt(object, ...path.map(String)).flatMap(([given, at]) => {
      const schema = schemas.get(stringAt(given, 'name'));
      if (!schema || given.value === undefined || isSet(given, 'definitionFrom')) return [];
      return checkVariable(schema, given.value).map((finding) => {
        const { message, accepted, fix } = faultWords(finding, finding.path);
        return { path: [...path, at, 'value', ...finding.path], message: `the variable ${JSON.stringify(given.name)}: ${message}`, accepted, fix };
      });
    }));
  },
};

function valued(image: string): string {
  return `${topologyYaml(`variables:\n  - name: image\n    value: ${image}`)}---\n${clusterClassYaml(VARIABLES)}${gateYaml('ClusterTopology')}`;
}
