import { TopologyStop, TopologyUnknown } from './outcome';
import { TopologySpec } from './stored-topology';
import { plainValue } from '../objects/yaml-scalars';
import { checkVariable, readSchema } from '../rules/cluster-api/variables';
import { withDefaults } from '../schema/defaults';
import { faultWords } from '../schema/finding-words';
import { compileSchema, JsonSchema } from '../schema/schema-node';
import { fieldAt, Fields, isFields, isSet, objectsAt, stringAt } from '../values/fields';

/** Values of variables, by their names. */
export type Variables = Readonly<Record<string, unknown>>;

/** Definition of a variable in a ClusterClass. */
interface Definition {
  readonly name: string;
  readonly required: boolean;
  readonly schema?: JsonSchema;
}

const DEFINITIONS = new WeakMap<TopologySpec, readonly Definition[]>();

/** The variables of a topology. */
export class TopologyVariables {
  /** Variables of a topology whose ClusterClass is not known. */
  public static readonly NONE = new TopologyVariables({ spec: {}, controlPlane: {}, workers: { machineDeployments: [], machinePools: [] } });

  /** Values for all templates. */
  public readonly shared: Variables;

  /** Values that the Cluster states itself. */
  private readonly stated: Variables;
  private readonly definitions: readonly Definition[];

  /** True if extensions define variables, which are written nowhere. */
  private readonly hasOthers: boolean;

  /**
   * @param clusterClass the ClusterClass
   * @param topology the topology; none without values
   * @param former the variables of the topology as it exists: the server has written their defaults into the Cluster, and keeps them
   */
  public constructor(clusterClass: TopologySpec, topology?: TopologySpec, former?: TopologyVariables) {
    this.hasOthers = objectsAt(clusterClass.spec, 'patches').some(([patch]) => isSet(patch, 'external', 'discoverVariablesExtension'));
    this.definitions = definitionsOf(clusterClass);
    this.stated = valuesOf(topology?.spec);
    this.shared = this.complete(former ? kept(this.stated, former.stated, former.shared) as Variables : this.stated, true);
  }

  /** The values that a control plane or a pool has of its own. */
  public overrides({ variables }: Fields): Variables {
    return this.complete(valuesOf({ variables: fieldAt(variables, 'overrides') }), false);
  }

  /**
   * Values with their defaults.
   *
   * Source: kubernetes-sigs/cluster-api internal/topology/variables/cluster_variable_defaulting.go, cluster_variable_validation.go, v1.14.2.
   */
  private complete(given: Variables, isWhole: boolean): Variables {
    const known = new Set(this.definitions.map(({ name }) => name));
    const unknown = Object.keys(given).find((name) => !known.has(name));
    if (unknown !== undefined && !this.hasOthers) throw new TopologyStop(`variable ${unknown} is not defined in the ClusterClass`);
    const entries = this.definitions.flatMap(({ name, required, schema }) => {
      if (!Object.hasOwn(given, name) && !isWhole) return [];
      const value = defaulted(name, Object.hasOwn(given, name) ? given[name] : undefined, schema);
      if (value === undefined && required && isWhole) throw new TopologyStop(`variable ${name} of the ClusterClass is required, and has no value`);
      return value === undefined ? [] : [[name, value] as const];
    });
    return Object.fromEntries(entries);
  }
}

function definitionsOf(clusterClass: TopologySpec): readonly Definition[] {
  let found = DEFINITIONS.get(clusterClass);
  if (!found) {
    found = objectsAt(clusterClass.spec, 'variables').map(([variable]) => (
      { name: stringAt(variable, 'name') ?? '', required: variable.required === true, schema: readSchema(fieldAt(variable, 'schema', 'openAPIV3Schema')) }));
    DEFINITIONS.set(clusterClass, found);
  }
  return found;
}

function valuesOf(holder: unknown): Variables {
  return Object.fromEntries(objectsAt(holder, 'variables').map(([variable]) => [stringAt(variable, 'name') ?? '', variable.value]));
}

/** Values with what the server has set before, and keeps, because no manifest has stated it, or one states it otherwise now. */
function kept(stated: unknown, formerlyStated: unknown, former: unknown): unknown {
  if (!isFields(stated) || !isFields(former)) return stated;
  const set = Object.keys(former).filter((name) => !Object.hasOwn(stated, name) && fieldAt(formerlyStated, name) === undefined);
  const inner = Object.entries(stated).map(([name, value]) => [name, kept(value, fieldAt(formerlyStated, name), fieldAt(former, name))] as const);
  return Object.fromEntries([...inner, ...set.map((name) => [name, former[name]] as const)]);
}

/** A value with its defaults, as it is checked. Schemas that are refused give no defaults. */
function defaulted(name: string, value: unknown, schema: JsonSchema | undefined): unknown {
  const given = value ?? schema?.default;
  if (!schema || given === undefined) return given;
  const [fault] = checkVariable(schema, given);
  if (!fault) return withDefaults(compileSchema(schema), given);
  const message = `variable ${name}: ${faultWords(fault, fault.path).message}`;
  if (!JSON.stringify(given).includes('${')) throw new TopologyStop(message);
  const later = replaced(given);
  if (checkVariable(schema, later).length > 0) throw new TopologyUnknown(`${message} before another program replaces it`);
  return withDefaults(compileSchema(schema), later);
}

/** A string that another program replaces, such as `${NAME:=a}`, and its default. Source: drone/envsubst, kubernetes-sigs/cluster-api cmd/clusterctl. */
const REPLACED = /^\$\{\s*[A-Za-z_]\w*\s*:?[=-]([^}]*)\}$/;

/** A value with the defaults of what another program replaces. */
function replaced(value: unknown): unknown {
  const found = typeof value === 'string' ? REPLACED.exec(value) : null;
  if (found) return plainValue(found[1]);
  if (Array.isArray(value)) return value.map(replaced);
  return isFields(value) ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaced(inner)])) : value;
}

/**
 * The value of a variable at a path such as `builtin.cluster.name` or `zones[0].name`.
 *
 * Source: kubernetes-sigs/cluster-api core/reconcilers/topology/cluster/patches/variables/value.go, v1.14.2.
 */
export function variableValue(variables: Variables, path: string): unknown {
  let found: unknown = variables;
  for (const segment of path.split('.')) {
    const [match, name, index] = /^([^[\]]*)(?:\[(\d+)\])?/.exec(segment)!;
    if (match !== segment) throw new TopologyStop(`variable ${JSON.stringify(path)} is invalid`);
    if (!isFields(found) || !Object.hasOwn(found, name)) throw new TopologyStop(`variable ${JSON.stringify(path)} does not exist`);
    found = found[name];
    if (index === undefined) continue;
    if (!Array.isArray(found) || Number(index) >= found.length) throw new TopologyStop(`variable ${JSON.stringify(path)} has no index ${index}`);
    found = found[Number(index)];
  }
  return found;
}
