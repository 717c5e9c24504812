import { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { ApiServerAddress } from './api-server-address';
import { ClusterContext } from './cluster-context';
import { ControlPlaneCapabilities } from './control-plane-capabilities';
import { Infrastructure, infrastructureOf } from './infrastructure';
import { PoolContext } from './node-pool/pool-context';
import { adoptTemplate } from './node-pool/template';
import { keepOnPrune } from '../../manifests/objects/prune-annotations';
import { Sources } from '../../manifests/values/field-sources';
import { Problem, Rule } from '../../manifests/values/problem';
import { FieldSources } from '../app/synth/field-sources';

/** Fields of a provider's object, and the properties that they come from. */
export interface ProviderObjectOptions {
  /** API version, e.g. `infrastructure.cluster.x-k8s.io/v1beta1`. */
  readonly apiVersion: string;

  /** Kind. */
  readonly kind: string;

  /**
   * Labels and annotations.
   *
   * @default - none
   */
  readonly metadata?: ApiObjectMetadata;

  /** Fields. Those whose value is undefined are left out. */
  readonly fields: { [field: string]: any };

  /** Properties of the user. A field of the same name comes from the property, and so does one that has no value. */
  readonly props: any;

  /**
   * Properties by field, where they have other names, e.g. `{ imageName: 'image' }`. Both are paths, as those of `FieldSources.record`.
   *
   * @default - none: all fields have the names of properties
   */
  readonly properties?: { [field: string]: string };
}

/** Fields of a template of machines. */
export interface ProviderTemplateOptions extends ProviderObjectOptions {
  /**
   * Fields of a template beside `spec.template`. Each comes from the property of its name.
   *
   * @default - none
   */
  readonly besideTemplate?: { [field: string]: any };
}

/** Fields of an object beside the template of machines. */
export interface BesideMachinesOptions extends ProviderObjectOptions {
  /**
   * True if the object must not change under one name: it is named after its content, as machine templates always are, and marked against pruning.
   *
   * @default false
   */
  readonly immutable?: boolean;
}

/**
 * Objects of a provider of infrastructure. Each field is left out if it has no value, and what is wrong with it is reported with the property of
 * the user.
 */
export class ProviderObjects {
  /**
   * Makes the infrastructure object of a cluster, with fields of `spec`.
   *
   * @param scope the scope that `Infrastructure.bind` was given
   * @param context the cluster that `Infrastructure.bind` was given
   * @param options kind, fields and properties
   */
  public static cluster(scope: Construct, context: ClusterContext, options: ProviderObjectOptions): ApiObject {
    const resource = make(scope, 'Resource', context.name, options, setFields(options.fields));
    FieldSources._record(resource, scope, () => ({ ...sourcesOf(options, 'spec', 'infrastructure'), 'spec.controlPlaneEndpoint': 'controlPlane.endpoint' }));
    return resource;
  }

  /**
   * Makes an object beside the infrastructure object of a cluster, such as its network, with fields of `spec`. It has the name of the cluster unless
   * `metadata` has one, and is marked against pruning, since a living cluster needs it.
   *
   * @param scope the scope that `Infrastructure.bind` was given
   * @param context the cluster that `Infrastructure.bind` was given
   * @param id id of the construct
   * @param options kind, fields and properties
   */
  public static besideCluster(scope: Construct, context: ClusterContext, id: string, options: ProviderObjectOptions): ApiObject {
    const { metadata } = options;
    const annotations = { ...keepOnPrune(), ...metadata?.annotations };
    const object = make(scope, id, context.name, { ...options, metadata: { ...metadata, annotations } }, setFields(options.fields));
    FieldSources._record(object, scope, () => sourcesOf(options, 'spec', 'infrastructure'));
    return object;
  }

  /**
   * Makes the template of a group of machines, with fields of `spec.template.spec`.
   *
   * @param scope the scope that `Machine.bind` was given
   * @param context the group that `Machine.bind` was given
   * @param options kind, fields and properties
   */
  public static machineTemplate(scope: Construct, context: PoolContext, options: ProviderTemplateOptions): ApiObject {
    const { fields, besideTemplate = {} } = options;
    const template = make(scope, 'Resource', context.name, options, { ...besideTemplate, template: { spec: setFields(fields) } });
    const beside = Object.keys(besideTemplate).map((field) => [`spec.${field}`, `machine.${field}`]);
    FieldSources._record(template, scope, () => ({ ...sourcesOf(options, 'spec.template.spec', 'machine'), ...Object.fromEntries(beside) }));
    return template;
  }

  /**
   * Makes an object beside the template of a group of machines, such as that of its remediation, with fields of `spec`.
   *
   * @param scope the scope that `Machine.bind` was given
   * @param context the group that `Machine.bind` was given
   * @param id id of the construct
   * @param options kind, fields and properties
   */
  public static besideMachines(scope: Construct, context: PoolContext, id: string, options: BesideMachinesOptions): ApiObject {
    const object = make(scope, id, context.name, options, setFields(options.fields));
    FieldSources._record(object, scope, () => sourcesOf(options, 'spec', 'machine'));
    if (options.immutable) adoptTemplate(object, context.name);
    return object;
  }

  /**
   * The infrastructure of a cluster, for machines that follow its options: `instanceof` tells whether it is that of the provider.
   *
   * @param context the cluster
   * @returns undefined where the capabilities of the cluster are those of no infrastructure, as in a test of a machine alone
   */
  public static infrastructure(context: ClusterContext): Infrastructure | undefined {
    return infrastructureOf(context, Infrastructure);
  }

  /**
   * The endpoint that an infrastructure object states; undefined where it is not known, or a hosted control plane writes it.
   *
   * @param context the cluster
   */
  public static endpoint(context: ClusterContext): ApiServerAddress | undefined {
    const { controlPlane: { endpointManager }, apiServer: { published } } = context;
    return endpointManager === undefined && published ? { host: published.host, port: published.port } : undefined;
  }

  /**
   * Resources of the API group of infrastructure, for `InfrastructureCapabilities.viewableResources`.
   *
   * @param plurals their plurals, e.g. `vsphereclusters`
   */
  public static resources(...plurals: string[]): string[] {
    return plurals.map((plural) => `${plural}.infrastructure.cluster.x-k8s.io`);
  }

  private constructor() {}
}

/** The part that makes the address of the API server in place of the infrastructure's provider; undefined if the provider is to make it. */
export function endpointOwner({ endpointManager, infrastructureEndpoint }: ControlPlaneCapabilities): string | undefined {
  return endpointManager ?? (infrastructureEndpoint && 'the control plane');
}

function make(scope: Construct, id: string, name: string, { apiVersion, kind, metadata }: ProviderObjectOptions, spec: object): ApiObject {
  return new ApiObject(scope, id, { apiVersion, kind, metadata: { name, ...metadata }, spec });
}

/** The sources of all fields: that of a field whose value is the property's own is also that of what is below it. */
function sourcesOf({ fields, props, properties = {} }: ProviderObjectOptions, at: string, property: string): Sources {
  const given = new Map<string, unknown>(Object.entries(props));
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

/** Checks that properties are not stated beside one that takes their place. */
export function checkInstead(rule: Rule, props: object, { property, instead, is }: {
  readonly property: string; readonly instead: readonly string[]; readonly is: string;
}): Problem[] {
  const given = new Map<string, unknown>(Object.entries(props));
  const stated = instead.filter((name) => given.get(name) !== undefined);
  return given.get(property) === undefined || stated.length === 0 ? [] : [{
    rule, property: `machine.${property}`, message: `${is}, and ${stated.join(', ')} as well`, fix: `leave out ${property} or ${stated.join(', ')}`,
  }];
}
