import { CLUSTER } from './cluster-api-kinds';
import { classOf } from './cluster-classes';
import { clusterClassYaml, gateYaml, topologyYaml } from './example-manifests';
import { definesElsewhere, overridePaths, TOPOLOGY_VALUES } from './topology-variables';
import { checkVariable, readSchema } from './variable-schemas';
import { fieldAt, textAt } from '../../../images/manifest-object';
import { JsonSchema } from '../../../operator/schema/json-schema';
import { isSet, mapsAt } from '../manifest-fields';
import { FieldPath, ManifestRule } from '../manifest-rule';

const VARIABLES = 'variables:\n  - name: image\n    required: true\n    schema:\n      openAPIV3Schema:\n        type: string\n        pattern: ^node-v';

/** The values of a topology. */
export const TOPOLOGY_VALUE: ManifestRule = {
  id: 'TC-ADMIT-TOPOLOGY-VALUE',
  title: 'The value of a variable, for the whole topology or for one of its parts, fits the schema that the ClusterClass has for it. Rules in CEL are not evaluated.',
  source: 'kubernetes-sigs/cluster-api internal/topology/variables/cluster_variable_validation.go (ValidateClusterVariable)',
  kinds: [CLUSTER],
  example: { failing: valued('ubuntu-24.04'), corrected: valued('node-v1.35.4') },
  check: (object, index) => {
    const clusterClass = classOf(object, index);
    if (!clusterClass || definesElsewhere(clusterClass)) return [];
    const schemas = new Map<string | undefined, JsonSchema>();
    for (const [variable] of mapsAt(clusterClass, 'spec', 'variables')) {
      const schema = readSchema(fieldAt(variable, 'schema', 'openAPIV3Schema'));
      // Of two with one name nobody knows which one is meant.
      if (schema && !schemas.has(textAt(variable, 'name'))) schemas.set(textAt(variable, 'name'), schema);
    }
    return [TOPOLOGY_VALUES, ...overridePaths(object)].flatMap((path) => mapsAt(object, ...path.map(String)).flatMap(([given, at]) => {
      const schema = schemas.get(textAt(given, 'name'));
      if (!schema || given.value === undefined || isSet(given, 'definitionFrom')) return [];
      return checkVariable(schema, given.value).map(({ path: inside, message, accepted, fix }) => ({
        path: [...path, at, 'value', ...fieldsIn(inside)], message: `the variable ${JSON.stringify(given.name)}: ${message}`, accepted, fix,
      }));
    }));
  },
};

function valued(image: string): string {
  return `${topologyYaml(`variables:\n  - name: image\n    value: ${image}`)}---\n${clusterClassYaml(VARIABLES)}${gateYaml('ClusterTopology')}`;
}

/** The parts of a path such as `disks[0].name`. */
function fieldsIn(path: string): FieldPath {
  return [...path.matchAll(/\["(.*?)"\]|\[(\d+)\]|([^.[\]]+)/g)].map(([, quoted, index, name]) => (index === undefined ? quoted ?? name : Number(index)));
}
