import { withoutUnset } from './stored-topology';
import { classSpec, PlainCluster, templateOf, toolAnnotations } from './topology-form';
import { ManifestObject, namespaceOf, nameOf } from '../objects/manifest-object';
import { fieldAt, FieldPath, Fields, fieldText, isFields, pointerTo, sameValue, stringAt, unlessEmpty } from '../values/fields';

/** The templates of machines and of bootstraps. */
export interface MachineTemplates {
  /** Template of the machines of the control plane, where it has machines. */
  readonly controlPlane?: ManifestObject;

  /** Templates of a pool. */
  readonly pool: (name: string) => { readonly machine: ManifestObject; readonly bootstrap: ManifestObject };
}

/** Name and place of a ClusterClass that several Clusters have. */
export interface SharedName {
  /** The name before the hash of the content. */
  readonly className: string;

  /** The namespace of the class. */
  readonly namespace: string;

  /** Names an object by its content. */
  readonly nameOf: (prefix: string, spec: unknown) => string;

  /** The fields of an infrastructure object with addresses for the machines of one Cluster, which are variables. */
  readonly addressFields: (infrastructure: ManifestObject) => readonly FieldPath[];

  /** Names of further objects of one Cluster, which its templates refer to. They are variables. */
  readonly ownNames: readonly string[];
}

/** A value that a Cluster gives to its ClusterClass. */
export interface ClassVariable {
  readonly name: string;
  readonly value: unknown;
}

/** A ClusterClass that several Clusters may have, and what one of them gives to it. */
export interface SharedClass {
  readonly clusterClass: ManifestObject;

  /** The templates, each with its use in words. */
  readonly templates: readonly { readonly use: string; readonly template: ManifestObject }[];
  readonly variables: readonly ClassVariable[];
}

/** A template of a class, and what selects it in patches. */
interface ClassPart {
  readonly use: string;
  readonly prefix: string;
  readonly template: ManifestObject;
  readonly match: Fields;
}

/**
 * A ClusterClass without names of the Cluster that it is made for, so that another Cluster with the same content has the same class.
 *
 * Patches write what is named after the Cluster, and the address of its API server, which is a variable. Variables are, too, a string with the name in
 * another spelling, such as that of a schema in a data store, and the name of an object that each Cluster has of its own.
 *
 * @param plain the Cluster and its objects
 * @param machines templates of machines and bootstraps
 * @param shared name and place of the class
 */
export function sharedClass(plain: PlainCluster, machines: MachineTemplates, shared: SharedName): SharedClass {
  const { className, namespace } = shared;
  const parts: ClassPart[] = [
    { use: 'infrastructure', prefix: className, template: kept(plain.infrastructure), match: { infrastructureCluster: true } },
    { use: 'control plane', prefix: className, template: kept(plain.controlPlane), match: { controlPlane: true } },
    ...machines.controlPlane ? [{
      use: 'machines of the control plane', prefix: `${className}-control-plane`, template: machines.controlPlane, match: { controlPlane: true },
    }] : [],
    ...plain.pools.flatMap(({ name }) => {
      const { machine, bootstrap } = machines.pool(name);
      const match = { machineDeploymentClass: { names: [name] } };
      return [
        { use: `machines of pool ${name}`, prefix: `${className}-${name}`, template: machine, match },
        { use: `bootstrap of pool ${name}`, prefix: `${className}-${name}`, template: bootstrap, match },
      ];
    }),
  ];
  const general = new GeneralTexts(nameOf(plain.cluster) ?? '', namespaceOf(plain.cluster) ?? '', shared, stringAt(plain.infrastructure, 'spec', 'controlPlaneEndpoint', 'host'));
  const addresses = shared.addressFields(plain.infrastructure).filter((path) => path.every((name) => typeof name === 'string'));
  const made = parts.map((part) => generalPart(part, general, shared, part.use === 'infrastructure' ? addresses : []));
  const find = (use: string) => made.find((one) => one.use === use)!.template;
  const definitions = made.flatMap(({ definition }) => definition ?? []);
  const spec = withoutUnset({
    ...classSpec(plain, {
      infrastructure: find('infrastructure'),
      controlPlane: find('control plane'),
      controlPlaneMachines: machines.controlPlane && find('machines of the control plane'),
      pool: (name) => ({ machine: find(`machines of pool ${name}`), bootstrap: find(`bootstrap of pool ${name}`) }),
    }),
    variables: general.variables.length === 0 ? undefined : general.variables.map(({ name, value }) => (
      { name, required: true, schema: { openAPIV3Schema: Array.isArray(value) ? { type: 'array', items: { type: 'string' } } : { type: 'string' } } })),
    patches: definitions.length === 0 ? undefined : [{ name: 'names', definitions }],
  });
  return {
    clusterClass: { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'ClusterClass', metadata: { name: shared.nameOf(className, spec), namespace }, spec },
    templates: made.map(({ use, template }) => ({ use, template })),
    variables: general.variables,
  };
}

/** The template of an object, with its annotations for tools. */
function kept(object: ManifestObject): ManifestObject {
  return { ...templateOf(object), metadata: { annotations: toolAnnotations(object) } };
}

/** An address of each family that no machine gets, in the place of those of a Cluster. */
const NO_ADDRESS = { IPv4: '127.0.0.1', IPv6: '::1' };

function generalPart({ use, prefix, template, match }: ClassPart, general: GeneralTexts, shared: SharedName, addresses: readonly FieldPath[]) {
  const { apiVersion, kind } = template;
  const changes: PatchedField[] = [];
  const named = general.of(template.spec, ['spec'], changes);
  const spec = addresses.reduce((rest, path) => general.given(rest, ['spec', 'template', ...path] as string[], changes), named);
  const annotations = toolAnnotations(template);
  const metadata = withoutUnset({ name: shared.nameOf(prefix, spec), namespace: shared.namespace, annotations: unlessEmpty(annotations) });
  return {
    use,
    template: { apiVersion, kind, metadata, spec } satisfies ManifestObject,
    definition: changes.length === 0 ? undefined : {
      selector: { apiVersion, kind, matchResources: match },
      jsonPatches: changes.map(({ path, valueFrom }) => ({ op: 'replace', path: pointerTo(path), valueFrom })),
    },
  };
}

/** A field that a patch writes. */
interface PatchedField {
  readonly path: readonly string[];
  readonly valueFrom: Fields;
}

/** The variable with the address of the API server, which the infrastructure object has, and programs on machines that carry it. */
const ENDPOINT_VARIABLE = 'controlPlaneEndpointHost';

/** Replaces the names of a Cluster, and the address of its API server, in strings. */
class GeneralTexts {
  public readonly variables: ClassVariable[] = [];
  private readonly names: RegExp;
  private readonly spelled: RegExp;

  /** The address that patches write; undefined where it has a name of the Cluster in it, which they write already. */
  private readonly endpoint?: RegExp;

  public constructor(
    private readonly cluster: string, private readonly namespace: string, private readonly shared: SharedName, private readonly host?: string,
  ) {
    const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    // The longer one first: a namespace may begin or end with the name of its cluster.
    const both = [namespace, cluster].filter((text) => text !== '').sort((one, other) => other.length - one.length);
    this.names = new RegExp(`(?<![A-Za-z0-9])(?:${both.map(escaped).join('|')})(?![A-Za-z0-9])`, 'g');
    this.spelled = new RegExp(`(?<![A-Za-z0-9])${escaped(cluster.replaceAll('-', '_'))}_`);
    // No part of a longer address or host name.
    if (host && !this.isNamed(host)) this.endpoint = new RegExp(`(?<![A-Za-z0-9.:-])${escaped(host)}(?!-?[A-Za-z0-9]|\\.[A-Za-z0-9]${host.includes(':') ? '|:' : ''})`, 'g');
  }

  /**
   * A value without names of the Cluster.
   *
   * @param value the value
   * @param path its path
   * @param changes gets what patches write; no patch has a path into a list, which webhooks refuse
   */
  public of(value: unknown, path: readonly string[], changes: PatchedField[]): unknown {
    if (typeof value === 'string') {
      if (this.shared.ownNames.includes(value)) {
        changes.push({ path, valueFrom: { variable: this.variable(`${path[path.length - 2]}Name`, value) } });
        return this.shared.className;
      }
      if (this.spelled.test(value)) {
        changes.push({ path, valueFrom: { variable: this.variable(path[path.length - 1], value) } });
        return this.shared.className;
      }
      const general = this.replaced(value, this.words);
      if (general !== value || this.isGiven(value)) changes.push({ path, valueFrom: { template: this.template(value) } });
      return general;
    }
    if (Array.isArray(value)) {
      const inner: PatchedField[] = [];
      const general = value.map((item, index) => this.of(item, [...path, String(index)], inner));
      if (inner.length > 0) changes.push({ path, valueFrom: { template: this.template(value) } });
      return general;
    }
    if (!isFields(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, this.of(field, [...path, key], changes)]));
  }

  /** A template with a list of addresses that a variable gives. */
  public given(spec: unknown, path: readonly string[], changes: PatchedField[]): unknown {
    const value = fieldAt(spec, ...path.slice(1));
    if (!Array.isArray(value) || changes.some((change) => path.every((name, depth) => change.path[depth] === name))) return spec;
    const family = value.some((text) => String(text).includes(':')) ? 'IPv6' : 'IPv4';
    const name = `machineAddresses${family}`;
    this.variables.push({ name, value });
    changes.push({ path, valueFrom: { variable: name } });
    const replaced = (object: unknown, [field, ...rest]: readonly string[]): unknown => (
      field === undefined ? [NO_ADDRESS[family]] : { ...object as Fields, [field]: replaced(fieldAt(object, field), rest) });
    return replaced(spec, path.slice(1));
  }

  /** A template of a patch that gives a value, as JSON. */
  private template(value: unknown): string {
    return this.replaced(JSON.stringify(value).replaceAll('{{', '{{"{{"}}'), (name) => {
      if (name === this.host) return `{{ .${this.variable(ENDPOINT_VARIABLE, this.host)} }}`;
      return name === this.cluster ? '{{ .builtin.cluster.name }}' : '{{ .builtin.cluster.namespace }}';
    });
  }

  private readonly words = (name: string): string => (name === this.cluster || name === this.host ? this.shared.className : this.shared.namespace);

  private replaced(text: string, write: (name: string) => string): string {
    const named = text.replace(this.names, (name) => (this.isOwnNamespace(name) ? name : write(name)));
    return this.endpoint ? named.replace(this.endpoint, write) : named;
  }

  /** True if a text has the name of the Cluster, also where the class has the same name. */
  private isNamed(text: string): boolean {
    return [...text.matchAll(this.names)].some(([name]) => !this.isOwnNamespace(name));
  }

  /** True if a text has what patches write. */
  private isGiven(text: string): boolean {
    return this.isNamed(text) || (this.endpoint !== undefined && text.search(this.endpoint) >= 0);
  }

  /** True for the namespace of a class in the namespace of its Clusters, which all of them have. */
  private isOwnNamespace(name: string): boolean {
    return name !== this.cluster && name === this.namespace && this.shared.namespace === this.namespace;
  }

  private variable(field: string, value: unknown): string {
    const names = [field, ...this.variables.map((_, index) => `${field}${index + 2}`)];
    const name = names.find((one) => this.variables.every((known) => known.name !== one || sameValue(known.value, value)))!;
    if (!this.variables.some((known) => known.name === name)) this.variables.push({ name, value });
    return name;
  }
}

/** A difference between two classes of one name. */
export interface ClassDifference {
  /** The use of the template; undefined for the class itself. */
  readonly use?: string;

  /** The field that differs. */
  readonly path: string;

  /** The class that has the template, if the other one does not. */
  readonly only?: 'one' | 'other';
}

/** The first difference between two classes, in templates before the class. */
export function classDifference(one: SharedClass, other: SharedClass): ClassDifference | undefined {
  const [mine, others] = [one, other].map(({ templates }) => new Map(templates.map(({ use, template }) => [use, template.spec])));
  for (const use of new Set([...mine.keys(), ...others.keys()])) {
    if (!mine.has(use) || !others.has(use)) return { use, path: '', only: mine.has(use) ? 'one' : 'other' };
    const path = firstDifference(mine.get(use), others.get(use), ['spec']);
    if (path) return { use, path: fieldText(path) };
  }
  const path = firstDifference(one.clusterClass.spec, other.clusterClass.spec, ['spec']);
  return path && { path: fieldText(path) };
}

function firstDifference(one: unknown, other: unknown, path: FieldPath): FieldPath | undefined {
  if (sameValue(one, other)) return undefined;
  const keys = isFields(one) && isFields(other) ? [...new Set([...Object.keys(one), ...Object.keys(other)])]
    : Array.isArray(one) && Array.isArray(other) && one.length === other.length ? [...one.keys()] : [];
  return keys.map((key) => firstDifference(fieldAt(one, key), fieldAt(other, key), [...path, key])).find((found) => found) ?? path;
}
