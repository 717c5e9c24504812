import { ApiObject, ApiObjectMetadata, Size, SizeRoundingBehavior } from 'cdk8s';
import { Construct } from 'constructs';
import { ClusterContext } from './cluster-context';
import { PoolContext } from './node-pool/pool-context';
import { Sources } from '../../manifests/values/field-sources';
import { Problem, Rule } from '../../manifests/values/problem';
import { FieldSources } from '../app/synth/field-sources';

/** The content of a provider's object, and the properties that it comes from. */
interface ProviderObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: ApiObjectMetadata;

  /** The fields that the page decides. Those without a value are left out. */
  readonly fields: { readonly [field: string]: unknown };

  /** The options of the user. A field of the same name comes from the property, and so does one that has no value. */
  readonly props: object;

  /** Properties by field, where they have other names. Both are paths, as those of `FieldSources.record`. */
  readonly properties?: Sources;
}

/**
 * Makes the infrastructure object of a cluster.
 *
 * @param scope the scope of the infrastructure
 * @param context the cluster
 * @param object kind and fields of `spec`
 */
export function clusterObject(scope: Construct, { name }: ClusterContext, object: ProviderObject): ApiObject {
  const { apiVersion, kind, metadata, fields } = object;
  const resource = new ApiObject(scope, 'Resource', { apiVersion, kind, metadata: { name, ...metadata }, spec: setFields(fields) });
  FieldSources._record(resource, scope, () => ({ ...sourcesOf(object, 'spec', 'infrastructure'), 'spec.controlPlaneEndpoint': 'controlPlane.endpoint' }));
  return resource;
}

/**
 * Makes the template of a group of machines.
 *
 * @param scope the scope of the machine
 * @param context the group
 * @param object kind and fields of `spec.template.spec`
 * @param beside fields of `spec` beside `template`
 */
export function machineTemplate(scope: Construct, { name }: PoolContext, object: ProviderObject, beside: object = {}): ApiObject {
  const { apiVersion, kind, metadata, fields } = object;
  const spec = { ...beside, template: { spec: setFields(fields) } };
  const template = new ApiObject(scope, 'Resource', { apiVersion, kind, metadata: { name, ...metadata }, spec });
  FieldSources._record(template, scope, () => sourcesOf(object, 'spec.template.spec', 'machine'));
  return template;
}

/** The sources of all fields: that of a field whose value is the property's own is also that of what is below it. */
function sourcesOf({ fields, props, properties = {} }: ProviderObject, at: string, property: string): Sources {
  const given = new Map(Object.entries(props));
  const same = Object.keys(fields).filter((field) => given.has(field) || fields[field] === undefined).map((field) => {
    const below = given.has(field) && given.get(field) === fields[field] ? '.**' : '';
    return [`${at}.${field}${below}`, `${property}.${field}${below}`];
  });
  const renamed = Object.entries(properties).map(([field, name]) => [`${at}.${field}`, `${property}.${name}`]);
  return { [at]: property, ...Object.fromEntries([...same, ...renamed]) };
}

/** The fields that have a value. */
export function setFields(fields: { readonly [field: string]: unknown }): { [field: string]: unknown } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** A list for a field; undefined for an empty one, which servers refuse or take for a change. */
export function filled<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list && list.length > 0 ? list : undefined;
}

/** The endpoint that the infrastructure object states; undefined where it is not known, or a hosted control plane writes it. */
export function statedEndpoint({ controlPlane: { endpointManager }, apiServer: { published } }: ClusterContext): object | undefined {
  return endpointManager === undefined && published ? { host: published.host, port: published.port } : undefined;
}

/** GiB of a size. Another unit may leave a fraction, which definitions and checks refuse. */
export function gibibytes(size: Size): number {
  return size.toGibibytes({ rounding: SizeRoundingBehavior.NONE });
}

/** MiB of a size, with a fraction where it has one. */
export function mebibytes(size: Size): number {
  return size.toMebibytes({ rounding: SizeRoundingBehavior.NONE });
}

/** A size that the API of a provider has in whole units, with the property of the machine that states it. */
interface WholeSize {
  readonly property: string;
  readonly size?: Size;
  readonly unit: 'GiB' | 'MiB';
}

/** Checks sizes that must be whole numbers of their unit. */
export function checkWholeSizes(rule: Rule, sizes: readonly WholeSize[]): Problem[] {
  return sizes.flatMap(({ property, size, unit }) => {
    const amount = size && (unit === 'GiB' ? gibibytes(size) : mebibytes(size));
    return amount === undefined || Number.isInteger(amount) ? [] : [{
      rule, property: `machine.${property}`, message: `${amount} ${unit} are no whole number`, fix: `give whole ${unit}, such as Size.${unit === 'GiB' ? 'gibibytes(100)' : 'mebibytes(8192)'}`,
    }];
  });
}

/** Resources of providers of the infrastructure group, as viewable resources. */
export function infrastructureResources(...plurals: readonly string[]): string[] {
  return plurals.map((plural) => `${plural}.infrastructure.cluster.x-k8s.io`);
}
