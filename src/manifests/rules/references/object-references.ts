import { groupKind, groupOf, ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { fieldAt, FieldPath, numberAt, objectsAt, stringAt } from '../../values/fields';
import {
  CLUSTER, CLUSTER_CLASS, MACHINE, MACHINE_DEPLOYMENT, MACHINE_HEALTH_CHECK, MACHINE_POOL, MACHINE_SET, KUBEADM_CONTROL_PLANE,
  MACHINE_TEMPLATE_HOLDERS,
} from '../cluster-api/cluster-api-kinds';
import { ManifestIndex, namespacesFor } from '../manifest-index';

/** An object that another one names. */
export interface ObjectReference {
  /** `group/Kind`. */
  readonly kind: string;

  readonly name: string;

  /** The namespace as written; newer references have none, and mean the namespace of the referring object. */
  readonly namespace?: string;
}

/** A reference, and the field that holds it. */
export interface PlacedReference {
  readonly reference: ObjectReference;
  readonly path: FieldPath;
}

/** An object that refers to another one, and the field by which it does. */
export interface Referrer {
  readonly object: ManifestObject;
  readonly path: FieldPath;
}

const POOL_FIELDS: readonly (readonly string[])[] = [
  ['spec', 'template', 'spec', 'infrastructureRef'],
  ['spec', 'template', 'spec', 'bootstrap', 'configRef'],
];

/**
 * Fields of control planes of any provider that name the template of their machines: by the contract of v1beta2 and v1beta1, and of
 * providers that are older than the contract.
 *
 * Sources: kubernetes-sigs/cluster-api docs/book/src/developer/providers/contracts/control-plane.md (machines),
 * siderolabs/cluster-api-control-plane-provider-talos api/v1alpha3/taloscontrolplane_types.go.
 */
const CONTROL_PLANE_FIELDS: readonly (readonly string[])[] = [
  ['spec', 'machineTemplate', 'spec', 'infrastructureRef'],
  ['spec', 'machineTemplate', 'infrastructureRef'],
  ['spec', 'machineTemplate', 'infrastructureTemplate'],
  ['spec', 'infrastructureTemplate'],
];

/** Fields of Cluster API's objects that refer to others of their namespace, in v1beta1 and v1beta2. */
const REFERENCE_FIELDS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  [CLUSTER]: [['spec', 'controlPlaneRef'], ['spec', 'infrastructureRef']],
  [MACHINE]: [['spec', 'infrastructureRef'], ['spec', 'bootstrap', 'configRef']],
  [MACHINE_DEPLOYMENT]: POOL_FIELDS,
  [MACHINE_POOL]: POOL_FIELDS,
  [MACHINE_SET]: POOL_FIELDS,
  [MACHINE_HEALTH_CHECK]: [['spec', 'remediation', 'templateRef'], ['spec', 'remediationTemplate']],
  [KUBEADM_CONTROL_PLANE]: CONTROL_PLANE_FIELDS.slice(0, 2),
  [CLUSTER_CLASS]: [['spec', 'controlPlane'], ['spec', 'controlPlane', 'machineInfrastructure'], ['spec', 'infrastructure']]
    .flatMap((part) => [[...part, 'templateRef'], [...part, 'ref']]),
};

/** The kinds that `referencesOf` knows all references of. */
export const REFERRING_KINDS: readonly string[] = Object.keys(REFERENCE_FIELDS);

/** Reads a reference: v1beta2 names the group, v1beta1 group and version. */
export function objectReference(value: unknown): ObjectReference | undefined {
  const [kind, name] = [stringAt(value, 'kind'), stringAt(value, 'name')];
  if (kind === undefined || name === undefined) return undefined;
  const group = stringAt(value, 'apiGroup') ?? groupOf({ apiVersion: fieldAt(value, 'apiVersion') });
  return { kind: `${group}/${kind}`, name, namespace: stringAt(value, 'namespace') };
}

/** All references of an object of Cluster API to others of its namespace; of another provider's control plane, that to its machines. */
export function referencesOf(object: ManifestObject): PlacedReference[] {
  const kind = groupKind(object);
  const others = isControlPlane(kind) ? CONTROL_PLANE_FIELDS : [];
  const fields = Object.hasOwn(REFERENCE_FIELDS, kind) ? REFERENCE_FIELDS[kind] : others;
  return [
    ...fields.flatMap((path) => placed(fieldAt(object, ...path), path)),
    ...(kind === CLUSTER_CLASS ? workerReferences(object) : []),
  ];
}

/** True if a kind is a control plane, by the convention of Cluster API's contract for names. */
function isControlPlane(kind: string): boolean {
  return kind.endsWith('ControlPlane');
}

function workerReferences(object: ManifestObject): PlacedReference[] {
  return ['machineDeployments', 'machinePools'].flatMap((list) => objectsAt(object, 'spec', 'workers', list).flatMap(([item, index]) => (
    ['bootstrap', 'infrastructure'].flatMap((part) => [[part, 'templateRef'], [part, 'ref'], ['template', part, 'ref']])
      .flatMap((path) => placed(fieldAt(item, ...path), ['spec', 'workers', list, index, ...path]))
  )));
}

function placed(value: unknown, path: FieldPath): PlacedReference[] {
  const reference = objectReference(value);
  return reference ? [{ reference, path }] : [];
}

/** Referrers of the objects of a namespace, by kind and name of the object, which may be anywhere else. */
type Referrers = ReadonlyMap<string | undefined, ReadonlyMap<string, ReadonlyMap<string, readonly Referrer[]>>>;

const REFERRERS = new WeakMap<ManifestIndex, Referrers>();

/**
 * Objects that refer to an object: the Clusters of a control plane, the pools of a template, …
 *
 * @param object the object
 * @param index everything that is validated together with it
 * @param kinds kinds of those who refer, as `group/Kind`; none for all
 */
export function referrersOf(object: ManifestObject, index: ManifestIndex, ...kinds: readonly string[]): readonly Referrer[] {
  let all = REFERRERS.get(index);
  if (!all) REFERRERS.set(index, all = collectReferrers(index));
  const inNamespace = (namespace: string | undefined) => all.get(namespace)?.get(groupKind(object))?.get(nameOf(object) ?? '');
  const [own, other] = namespacesFor(namespaceOf(object));
  const found = inNamespace(own) ?? inNamespace(other) ?? [];
  return kinds.length === 0 ? found : found.filter((referrer) => kinds.includes(groupKind(referrer.object)));
}

/** The pools and control planes, of any provider, whose machines are made from a template. */
export function machineOwnersOf(template: ManifestObject, index: ManifestIndex): readonly ManifestObject[] {
  return referrersOf(template, index).map(({ object }) => object).filter((object) => {
    const kind = groupKind(object);
    return MACHINE_TEMPLATE_HOLDERS.includes(kind) || isControlPlane(kind);
  });
}

function collectReferrers(index: ManifestIndex): Referrers {
  const referrers = new Map<string | undefined, Map<string, Map<string, Referrer[]>>>();
  const referring = [...REFERRING_KINDS, ...index.kinds().filter((kind) => isControlPlane(kind) && !REFERRING_KINDS.includes(kind))];
  for (const object of referring.flatMap((kind) => index.all(kind))) {
    for (const { reference, path } of referencesOf(object)) {
      let kinds = referrers.get(namespaceOf(object));
      if (!kinds) referrers.set(namespaceOf(object), kinds = new Map());
      let names = kinds.get(reference.kind);
      if (!names) kinds.set(reference.kind, names = new Map());
      const known = names.get(reference.name);
      if (known) known.push({ object, path });
      else names.set(reference.name, [{ object, path }]);
    }
  }
  return referrers;
}

const DEFAULT_API_PORT = 6443;

/** Parts of a Cluster. */
export type ClusterPart = 'controlPlaneRef' | 'infrastructureRef';

/** The reference of a Cluster to one of its parts. */
export function partReference(cluster: ManifestObject, part: ClusterPart): ObjectReference | undefined {
  return objectReference(fieldAt(cluster, 'spec', part));
}

/** A part of a Cluster, if it is validated together with it. */
export function partOf(cluster: ManifestObject, part: ClusterPart, index: ManifestIndex): ManifestObject | undefined {
  const reference = partReference(cluster, part);
  return reference && index.find(reference.kind, namespaceOf(cluster), reference.name);
}

/** The Cluster that a control plane or an infrastructure object belongs to, if it is validated together with it. */
export function clusterOf(part: ManifestObject, index: ManifestIndex): ManifestObject | undefined {
  return referrersOf(part, index, CLUSTER)[0]?.object;
}

/** The Cluster that an infrastructure object belongs to, if kubeadm runs its control plane on machines. */
export function clusterOnMachines(infrastructure: ManifestObject, index: ManifestIndex): ManifestObject | undefined {
  const cluster = clusterOf(infrastructure, index);
  return cluster && partReference(cluster, 'controlPlaneRef')?.kind === KUBEADM_CONTROL_PLANE ? cluster : undefined;
}

/** Objects that make machines from a template: pools, machine sets, control planes. */
export function machineOwners(template: ManifestObject, index: ManifestIndex): readonly ManifestObject[] {
  return referrersOf(template, index, MACHINE_DEPLOYMENT, MACHINE_SET, MACHINE_POOL, KUBEADM_CONTROL_PLANE).map(({ object }) => object);
}

/** The Cluster of a pool or of a control plane, if it is validated together with it. */
export function clusterOfOwner(owner: ManifestObject, index: ManifestIndex): ManifestObject | undefined {
  if (groupKind(owner) === KUBEADM_CONTROL_PLANE) return clusterOf(owner, index);
  return index.find(CLUSTER, namespaceOf(owner), stringAt(owner, 'spec', 'clusterName'));
}

/** Port of a Cluster's API server. */
export function apiServerPort(cluster: ManifestObject): number {
  return numberAt(cluster, 'spec', 'clusterNetwork', 'apiServerPort') ?? DEFAULT_API_PORT;
}
