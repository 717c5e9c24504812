import { isOwn, Place, PlacedObject } from './placed-objects';
import { POD_REFERENCES, REFERENCES } from './reference-fields';
import { Manifest } from '../support/clusters';

/** A reference from one object to another. */
export interface Reference {
  readonly path: string;
  readonly kind: string;
  readonly name: string;

  /** Absent for what belongs to no namespace. */
  readonly namespace?: string;
}

/** Something that is there without being in the output, and who makes it. */
export interface External {
  /** Output that it is for. */
  readonly output: RegExp;

  /** True if it is in tenants, and not in the management cluster. */
  readonly tenant?: boolean;
  readonly kind: string;

  /** `namespace/name`, or the name alone for what belongs to no namespace. */
  readonly name: RegExp;
  readonly reason: string;
}

/** Kinds that belong to no namespace. */
const CLUSTER_SCOPED = [
  'Namespace', 'ClusterRole', 'StorageClass', 'VolumeSnapshotClass', 'IngressClass', 'GatewayClass', 'PriorityClass', 'RuntimeClass', 'DataStore', 'ClusterIssuer',
  'VirtualMachineClusterInstancetype', 'VirtualMachineClusterPreference',
  'VSphereClusterIdentity', 'VSphereFailureDomain', 'VSphereDeploymentZone',
  // Objects of vCenter.
  'PortGroup',
  // Argo CD's name of a cluster.
  'Registration',
];

/** Keys that name other objects wherever they stand: each must be known to the table, so that none is overlooked. */
const TELLING_KEYS = [
  'secretName', 'serviceAccountName', 'claimName', 'storageClassName', 'priorityClassName', 'ingressClassName', 'runtimeClassName', 'dataStoreName',
  'imagePullSecret', 'networkName', 'volumeSnapshotClassName', 'clusterName',
];

/** Key of a kind in the table of kinds. */
export function kindKey({ apiVersion, kind }: Manifest): string {
  return `${apiVersion.includes('/') ? apiVersion.split('/')[0] : ''}/${kind}`;
}

/** All references of an object, or undefined if nobody has said where objects of the kind have them. */
export function referencesOf(object: Manifest): Reference[] | undefined {
  const fields = REFERENCES[kindKey(object)];
  if (!fields) return undefined;
  return [...fields, ...POD_REFERENCES].flatMap((field) => {
    const [kind, path] = field.split(' ');
    const found = at(object, path.split('.'));
    return found.flatMap((one) => (kind === '*' ? wholeReference(one, object) : [reference(kind, one.value, one.parent, one.path, object)]));
  });
}

/** References that lead nowhere, fields that look like references and are none to the table, and kinds that it does not know. */
export function danglingReferences(
  output: string, objects: readonly PlacedObject[], externals: readonly External[], used = new Set<External>(),
): string[] {
  const known = new Set([
    ...objects.map(({ object: { kind, metadata }, place }) => keyOf(place, kind, metadata.name, namespaceOf(kind, metadata))),
    ...objects.flatMap(kubeconfigsOf),
  ]);
  return objects.flatMap((placed) => {
    const { object, place } = placed;
    const references = referencesOf(object);
    const what = `${output}: ${object.kind} ${object.metadata.name}`;
    // References in kinds of users are for users to check.
    if (!references) return isOwn(placed) ? [`${what}: nobody has said where ${kindKey(object)} has references`] : [];
    const missing = references.filter(({ kind, name, namespace }) => {
      if (known.has(keyOf(place, kind, name, namespace))) return false;
      const external = externals.find((one) => one.output.test(output) && (one.tenant ?? false) === (place.tenant !== undefined)
        && one.kind === kind && one.name.test(namespace === undefined ? name : `${namespace}/${name}`));
      if (external) used.add(external);
      return !external;
    });
    const paths = references.map(({ path }) => path);
    return [
      ...missing.map(({ path, kind, namespace, name }) => `${what}: ${path}: there is no ${kind} ${[namespace, name].filter(Boolean).join('/')}`),
      ...tellingFields(object).filter((path) => !paths.includes(path)).map((path) => `${what}: ${path} is no reference that the table knows`),
    ];
  });
}

/** Selectors of a Cluster, or of pods, that select nothing. */
export function emptySelectors(objects: readonly PlacedObject[]): string[] {
  return objects.flatMap(({ object, place }) => {
    const { kind, metadata, spec } = object;
    const neighbours = objects.filter((other) => other.place.tenant === place.tenant).map((other) => other.object)
      .filter((other) => other.metadata.namespace === metadata.namespace);
    const selector = kind === 'Service' ? spec.selector : spec?.clusterSelector?.matchLabels;
    if (selector === undefined) return [];
    const labels = kind === 'Service'
      ? neighbours.flatMap((other) => (other.spec?.template?.metadata?.labels ? [other.spec.template.metadata.labels] : []))
      : neighbours.filter((other) => other.kind === 'Cluster').map((other) => other.metadata.labels ?? {});
    return labels.some((one) => Object.entries(selector).every(([key, value]) => one[key] === value)) ? [] : [`${kind} ${metadata.name} selects nothing`];
  });
}

/** The Secrets that the provider of a control plane writes. */
function kubeconfigsOf({ object, place }: PlacedObject): string[] {
  const { kind, metadata } = object;
  const names = kind === 'Cluster' ? [`${metadata.name}-kubeconfig`] : kind === 'KamajiControlPlane' ? [`${metadata.name}-admin-kubeconfig`] : [];
  return names.map((name) => keyOf(place, 'Secret', name, metadata.namespace));
}

function keyOf({ tenant }: Place, kind: string, name: string, namespace?: string): string {
  return [tenant ?? '', kind, namespace ?? '', name].join(' ');
}

function namespaceOf(kind: string, { namespace }: Manifest): string | undefined {
  return CLUSTER_SCOPED.includes(kind) ? undefined : namespace;
}

function reference(kind: string, name: string, parent: Manifest, path: string, object: Manifest): Reference {
  return { path, kind, name, namespace: namespaceOf(kind, parent) ?? namespaceOf(kind, object.metadata) };
}

/** Of what says itself of which kind it is. People are no objects. */
function wholeReference({ value, path }: Found, object: Manifest): Reference[] {
  return ['User', 'Group'].includes(value.kind) ? [] : [reference(value.kind, value.name, value, path, object)];
}

interface Found {
  readonly path: string;
  readonly value: Manifest;
  readonly parent: Manifest;
}

/** The values below a path: `name`, `name[]` for each entry of a list, `**` for whatever is between. */
function at(value: unknown, [first, ...rest]: readonly string[], path = '', parent: Manifest = value): Found[] {
  if (first === undefined) return value === undefined || value === '' ? [] : [{ path, value, parent }];
  if (typeof value !== 'object' || value === null) return [];
  const below = (key: string, list = false) => `${path}${list ? `[${key}]` : `${path && '.'}${key}`}`;
  if (first === '**') {
    const further = Object.entries(value).flatMap(([key, one]) => at(one, [first, ...rest], below(key, Array.isArray(value)), value));
    return [...at(value, rest, path, parent), ...further];
  }
  const name = first.replace('[]', '');
  const found = (value as Manifest)[name];
  if (!first.endsWith('[]')) return at(found, rest, below(name), value);
  return Array.isArray(found) ? found.flatMap((one, index) => at(one, rest, `${below(name)}[${index}]`, found)) : [];
}

function tellingFields(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, below]) => {
    const here = Array.isArray(value) ? `${path}[${key}]` : `${path && `${path}.`}${key}`;
    // Values of charts and labels have keys of their own.
    if (['values', 'valuesObject', 'labels', 'matchLabels', 'annotations', 'data'].includes(key)) return [];
    return typeof below === 'string' && below !== '' && TELLING_KEYS.includes(key) ? [here] : tellingFields(below, here);
  });
}
