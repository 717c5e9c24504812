import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { keepOnPrune } from '../../manifests/objects/prune-annotations';
import { formatHostPort } from '../../manifests/values/dns';
import { fieldAt, pointerTo, withValues } from '../../manifests/values/fields';
import { Problem, Rule } from '../../manifests/values/problem';
import { Problems } from '../app/problems/problems';
import { contentName } from '../app/synth/content-name';
import { FieldSources } from '../app/synth/field-sources';
import { amendManifest, rewriteObject } from '../app/synth/manifest-rewrite';
import { checkWritten } from '../app/synth/synthesis';
import { ClusterContext } from '../contracts/cluster-context';
import { ControlPlaneConfig } from '../contracts/control-plane';
import { FormerTemplates } from '../contracts/node-pool/former-templates';
import { adoptTemplate } from '../contracts/node-pool/template';

/** The objects that strategies made for the parts of a cluster. */
interface Resources {
  readonly controlPlane: ApiObject;
  readonly infrastructure: ApiObject;
}

/**
 * Adopts the objects of control plane and infrastructure of any strategy: marks them against pruning, since Cluster API
 * still needs them when `decommission` leaves them out, and checks their kinds, names and namespaces.
 */
export function adoptResources(cluster: Construct, context: ClusterContext, { controlPlane, infrastructure }: Resources): void {
  [controlPlane, infrastructure].forEach(protectFromPruning);
  Problems.of(cluster)._addCheck(() => [
    ...checkResource('controlPlane', controlPlane, controlPlane.kind, context),
    ...checkResource('infrastructure', infrastructure, context.infrastructure.clusterKind, context),
    ...checkWritten(infrastructure, (manifest) => checkEndpoint(manifest.spec?.controlPlaneEndpoint, infrastructure.kind, context)),
  ]);
}

/**
 * Takes the template of a control plane's machines into a cluster, as a pool does: names it after its content and marks it against pruning.
 * References of the control plane to the former name follow.
 *
 * @param cluster the cluster
 * @param config the objects of the control plane
 * @param clusterName name of the cluster
 */
export function adoptControlPlaneMachines(cluster: Construct, { resource, machines }: ControlPlaneConfig, clusterName: string): void {
  if (!machines) return;
  const { machineTemplate, formerTemplates: former } = machines;
  const { kind, name: given } = machineTemplate;
  const prefix = `${clusterName}-control-plane`;
  const object = former?._former(machineTemplate, 'machineTemplate');
  adoptTemplate(machineTemplate, prefix, object);
  rewriteObject(resource, (manifest) => renamed(manifest, { kind, given, name: () => machineTemplate.name }) as object);
  if (!former) return;
  if (object) FieldSources._recordWhole(machineTemplate, cluster, () => (machineTemplate.name === object.name ? FORMER_PROPERTY : undefined));
  const configuration = machines.configurationField === undefined ? undefined
    : { object: resource, name: keepConfiguration(resource, machines.configurationField.split('.'), { former, prefix }) };
  const template = { object: machineTemplate, name: () => machineTemplate.name };
  Problems.of(cluster)._addCheck(() => former._check({ machineTemplate: template, ...configuration && { configuration } }, FORMER_PROPERTY));
}

const FORMER_PROPERTY = 'controlPlane.formerTemplates';

/**
 * Keeps the former configuration of a control plane's machines, as long as the page makes the one that it stands for.
 *
 * @param resource the control plane
 * @param path the field with the configuration
 * @param options the former templates, and the beginning of the name
 * @returns a function that returns the name of the page's configuration
 */
function keepConfiguration(
  resource: ApiObject, path: readonly string[], { former, prefix }: { readonly former: FormerTemplates; readonly prefix: string },
): () => string {
  let name = '';
  amendManifest(resource, (manifest) => {
    name = contentName(prefix, fieldAt(manifest, ...path));
    const kept = former._configuration(resource, path, name);
    return kept === undefined ? manifest : withValues(manifest, new Map([[pointerTo(path), kept]]));
  });
  return () => {
    resource.toJson();
    return name;
  };
}

/** A reference and its new name. */
interface Renaming {
  readonly kind: string;
  readonly given: string;
  readonly name: () => string;
}

function renamed(value: unknown, renaming: Renaming): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => renamed(item, renaming));
  const fields = value as { readonly kind?: unknown; readonly name?: unknown };
  const refers = fields.kind === renaming.kind && fields.name === renaming.given;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, refers && key === 'name' ? renaming.name() : renamed(field, renaming)]));
}

/** Marks an object against pruning; annotations of the strategy stay. */
function protectFromPruning(object: ApiObject): void {
  const { annotations = {} } = object.metadata.toJson() as { annotations?: { [key: string]: string } };
  Object.entries(keepOnPrune()).filter(([key]) => annotations[key] === undefined)
    .forEach(([key, value]) => object.metadata.addAnnotation(key, value));
}

const RESOURCE_RULE: Rule = {
  id: 'TC-CLUSTER-RESOURCE',
  title: 'The objects of control plane and infrastructure must have the name and namespace of the cluster, and the kind that their strategy states.',
  source: 'kubernetes-sigs/cluster-api api/core/v1beta2/cluster_types.go (references to objects of the own namespace), docs/book/src/developer/providers/contracts',
};

function checkResource(property: string, object: ApiObject, kind: string, { name, namespace }: ClusterContext): Problem[] {
  const { namespace: own = '' } = object.metadata;
  return object.kind === kind && object.name === name && own === namespace ? [] : [{
    rule: RESOURCE_RULE,
    property,
    message: `the strategy made the ${object.kind} "${object.name}" in namespace "${own}", `
      + `and the cluster has the ${kind} "${name}" in namespace "${namespace}"`,
    fix: 'correct the objects that bind of the strategy makes, or its capabilities',
  }];
}

const ENDPOINT_RULE: Rule = {
  id: 'TC-CLUSTER-ENDPOINT',
  title: 'The object of the infrastructure must state the endpoint that the control plane brings: Cluster API takes it from there, and nodes join at it.',
  source: 'kubernetes-sigs/cluster-api docs/book/src/developer/providers/contracts/infra-cluster.md (controlPlaneEndpoint)',
};

/** The endpoint in the object of an infrastructure. */
interface WrittenEndpoint {
  readonly host?: unknown;
  readonly port?: unknown;
}

/** Checks that the infrastructure writes the endpoint of a control plane that brings one. */
function checkEndpoint(written: WrittenEndpoint | undefined, kind: string, { controlPlane }: ClusterContext): Problem[] {
  const endpoint = controlPlane.infrastructureEndpoint;
  if (!endpoint || (written?.host === endpoint.host && written.port === endpoint.port)) return [];
  const wanted = formatHostPort(endpoint.host, endpoint.port);
  return [{
    rule: ENDPOINT_RULE,
    property: 'controlPlane.endpoint',
    message: written?.host === undefined ? `the control plane brings the endpoint ${wanted}, and the ${kind} does not state it: its provider makes another one`
      : `the control plane brings the endpoint ${wanted}, and the ${kind} states ${formatHostPort(String(written.host), Number(written.port))}`,
    fix: 'leave out endpoint, so that the infrastructure makes it, or choose an infrastructure that writes the endpoint of the control plane',
  }];
}
