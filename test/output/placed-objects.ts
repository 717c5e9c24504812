import { Manifest } from '../support/clusters';
import { goldenOutputs, Output, parse } from '../support/outputs';

/** Delivery of the constructs that users put into `workloads`: what they are like is the users' own business. */
const WORKLOADS = 'workloads';

/** Destination of an object. */
export interface Place {
  /** `namespace/name` of the tenant cluster; absent for the management cluster. */
  readonly tenant?: string;

  /** Name of its delivery. */
  readonly delivery?: string;
}

/** An object, and where it goes to. */
export interface PlacedObject {
  readonly object: Manifest;
  readonly place: Place;
}

/** Everything that an output makes: in the management cluster, and in tenants by whatever delivers manifests. */
export function placedObjects(output: Pick<Output, 'management' | 'tenants'>): PlacedObject[] {
  const management = parse(output.management);
  return [
    ...management.map((object) => ({ object, place: {} })),
    ...management.filter(({ kind }) => kind === 'ClusterResourceSet').flatMap((set) => carriedBy(set, management)),
    ...Object.entries(output.tenants).flatMap(([file, text]) => {
      const [namespace, cluster, , delivery] = file.split('/').slice(-5);
      const tenant = isAppliedHere(file.split('/').slice(0, -1).join('/'), management) ? undefined : `${namespace}/${cluster}`;
      return parse(text).map((object) => ({ object, place: { tenant, delivery } }));
    }),
  ];
}

/** Folder of the repository that an object of Flux or Argo CD reads, if it reads one. */
export function folderOf({ kind, spec }: Manifest): string | undefined {
  return kind === 'Kustomization' ? spec?.path : kind === 'Application' && spec.source.chart === undefined ? spec.source.path : undefined;
}

/** True if the library, or an addon, made the object, and not the user as one of the tenant's workloads. */
export function isOwn({ place }: PlacedObject): boolean {
  return place.delivery !== WORKLOADS;
}

/** The objects of all outputs, by the name of the output. */
export function everyOutput(): [name: string, objects: PlacedObject[]][] {
  return goldenOutputs().map(([name, output]) => [name, placedObjects(output)]);
}

/** Runs a check over all outputs, and says where it found something. */
export function findings(outputs: ReturnType<typeof everyOutput>, check: (placed: PlacedObject) => string[]): string[] {
  return outputs.flatMap(([name, objects]) => objects.flatMap((placed) => check(placed).map((fault) => `${name}: ${nameOf(placed)}: ${fault}`)));
}

/** Name of an object in messages. */
export function nameOf({ object, place }: PlacedObject): string {
  const { kind, metadata } = object;
  return [place.tenant && `in ${place.tenant} by ${place.delivery}`, kind, [metadata?.namespace, metadata?.name].filter(Boolean).join('/')].filter(Boolean).join(' ');
}

/** True if the object that reads a folder applies it to its own cluster. */
function isAppliedHere(folder: string, management: readonly Manifest[]): boolean {
  const reader = management.find((object) => folderOf(object)?.endsWith(`/${folder}`));
  return reader?.kind === 'Kustomization' ? reader.spec.kubeConfig === undefined : reader?.spec.destination.server === 'https://kubernetes.default.svc';
}

function carriedBy(set: Manifest, management: readonly Manifest[]): PlacedObject[] {
  const { namespace, name } = set.metadata;
  const cluster: string = set.spec.clusterSelector.matchLabels['cluster.x-k8s.io/cluster-name'];
  const place = { tenant: `${namespace}/${cluster}`, delivery: name.slice(cluster.length + 1).replace(/\.once$/, '') };
  return set.spec.resources.flatMap((resource: Manifest) => {
    const carrier = management.find(({ kind, metadata }) => (
      kind === resource.kind && metadata.name === resource.name && metadata.namespace === namespace));
    return Object.values<string>(carrier?.data ?? {}).flatMap(parse).map((object) => ({ object, place }));
  });
}
