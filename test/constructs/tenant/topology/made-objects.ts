import { ManifestIndex } from '../../../../src/manifests/rules/manifest-index';
import { withContentNames } from '../../../../src/manifests/topology/content-names';
import { desiredObjects, objectsOf } from '../../../../src/manifests/topology/desired-objects';
import { isFields } from '../../../../src/manifests/values/fields';
import { Manifest } from '../../../support/clusters';

/** Objects by kind and name. */
export type Objects = ReadonlyMap<string, Manifest>;

function keyOf({ kind, metadata }: Manifest): string {
  return `${kind} ${metadata.name}`;
}

/** Objects by kind and name. */
export function byKey(objects: readonly Manifest[]): Objects {
  return new Map(objects.map((object) => [keyOf(object), object]));
}

/** Objects that the topology controller makes of the Clusters among objects. */
export function madeOf(objects: readonly Manifest[]): Objects {
  const clusters = objects.filter(({ kind }) => kind === 'Cluster');
  return byKey(clusters.flatMap((cluster) => objectsOf(withContentNames(desiredObjects(cluster, new ManifestIndex(objects)))) as Manifest[]));
}

/** Paths of the fields that differ. */
export function differences(one: unknown, other: unknown, path: readonly string[] = []): string[] {
  if (JSON.stringify(one) === JSON.stringify(other)) return [];
  if (!isFields(one) || !isFields(other)) return [path.join(' ')];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].sort().flatMap((key) => differences(one[key], other[key], [...path, key]));
}

const CONTROL_PLANE = '-control-plane';
const OWNED = ['topology.cluster.x-k8s.io/owned'];
const OWN_POOL = [...OWNED, 'topology.cluster.x-k8s.io/deployment-name'];
const CLONED = ['metadata annotations cluster.x-k8s.io/cloned-from-groupkind', 'metadata annotations cluster.x-k8s.io/cloned-from-name'];

/** Annotations for tools that apply objects: what the topology controller makes is applied by none. */
const TOOLS = [
  'argocd.argoproj.io/compare-options', 'argocd.argoproj.io/sync-options', 'helm.sh/resource-policy', 'kustomize.toolkit.fluxcd.io/prune',
  'kustomize.toolkit.fluxcd.io/substitute',
].map((key) => `metadata annotations ${key}`);

/** The fields in which what the topology controller makes differs from what is written without a topology, by kind. */
const STATED: { readonly [kind: string]: readonly string[] } = {
  Cluster: ['spec topology'],
  Made: [...OWNED.map((label) => `metadata labels ${label}`), ...CLONED, ...TOOLS, 'spec'],
  Template: [...OWN_POOL.map((label) => `metadata labels ${label}`), ...CLONED],
  MachineDeployment: [
    ...OWN_POOL.flatMap((label) => [`metadata labels ${label}`, `spec selector matchLabels ${label}`, `spec template metadata labels ${label}`]),
    // The selector has the labels of the topology. The controller of MachineDeployments gives machines the label.
    'spec selector matchLabels cluster.x-k8s.io/deployment-name', 'spec template metadata labels cluster.x-k8s.io/deployment-name',
    // Labels and annotations of a pool of a topology are those of its machines, too.
    'spec template metadata annotations', 'spec template metadata labels example.com/tenant',
  ],
  MachineHealthCheck: [
    ...OWNED.map((label) => `metadata labels ${label}`), 'metadata labels example.com/tenant', 'metadata annotations',
    ...[...OWN_POOL, 'cluster.x-k8s.io/cluster-name', 'cluster.x-k8s.io/deployment-name'].map((label) => `spec selector matchLabels ${label}`),
  ],
};

function stated({ kind, spec }: Manifest): readonly string[] {
  if (kind in STATED) return STATED[kind];
  if (kind.endsWith('Template')) return STATED.Template;
  // `spec: {}` is written for an object without a spec.
  return spec === undefined ? STATED.Made : STATED.Made.filter((path) => path !== 'spec');
}

/** References to copies of templates that differ in their names alone, since those are of what the server stores. */
function withoutCopyNames(object: Manifest): Manifest {
  const text = JSON.stringify(object);
  return JSON.parse(text.replace(/("kind":"\w+Template","name":")[a-z0-9-]+-[0-9a-f]{8}"/g, '$1"'));
}

/** Labels of a control plane and its machines, which have those of the topology. */
function isMachineMark({ kind, metadata }: Manifest, path: string): boolean {
  return (kind === 'KubeadmControlPlane' && path === 'spec machineTemplate metadata')
    || (kind === 'MachineHealthCheck' && metadata.name.endsWith(CONTROL_PLANE) && path.startsWith('spec selector matchLabels'));
}

/**
 * Fields in which objects that are written without a topology differ from those of a page with one, and from what the topology controller makes of
 * it, other than the stated ones.
 *
 * @param plain objects without a topology
 * @param form objects with one
 * @param made what the topology controller makes of these
 */
export function unstatedDifferences(plain: Objects, form: Objects, made: Objects): string[] {
  return [...plain].filter(([key, { kind }]) => !form.has(key) || kind === 'Cluster').flatMap(([key, object]) => {
    // The health check of a control plane has the name of the control plane.
    const other = made.get(object.kind === 'MachineHealthCheck' && key.endsWith(CONTROL_PLANE) ? key.slice(0, -CONTROL_PLANE.length) : key);
    if (other === undefined) return [`${key} is not made`];
    const named = { ...other, metadata: { ...other.metadata, name: object.metadata.name } };
    const found = differences(withoutCopyNames(object), withoutCopyNames(named));
    return found.filter((path) => !stated(object).includes(path) && !isMachineMark(object, path)).map((path) => `${key} ${path}`);
  });
}
