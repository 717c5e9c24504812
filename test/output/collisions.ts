import { PlacedObject } from './placed-objects';
import { Manifest } from '../support/clusters';

/** Identity of an object for the API server of its cluster, without the version. */
export function identityOf({ object, place }: PlacedObject): string {
  const { apiVersion, kind, metadata } = object;
  const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
  return [place.tenant ?? 'management', group, kind, metadata.namespace ?? '', metadata.name].join(' ');
}

/** Identities that more than one object has. */
export function collisions(objects: readonly PlacedObject[]): string[] {
  const all = objects.map(identityOf);
  return [...new Set(all.filter((identity, index) => all.indexOf(identity) !== index))];
}

/**
 * Objects of the management cluster that would be somebody else's, too: outside of the cluster's namespace a name must carry namespace
 * and cluster, inside of it the cluster.
 */
export function sharedNames(objects: readonly PlacedObject[]): string[] {
  const managed = objects.filter(({ place }) => place.tenant === undefined).map(({ object }) => object);
  const clusters = managed.filter(({ apiVersion, kind }) => kind === 'Cluster' && apiVersion.startsWith('cluster.x-k8s.io/'));
  if (clusters.length === 0) return [];
  return managed.filter(({ kind, metadata }) => kind !== 'Namespace' && !clusters.some((cluster) => carries(metadata, cluster)))
    .map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`);
}

function carries({ namespace, name }: Manifest, cluster: Manifest): boolean {
  const { metadata } = cluster;
  const starts = (prefix: string) => name === prefix || name.startsWith(`${prefix}-`) || name.startsWith(`${prefix}.`);
  return namespace === metadata.namespace ? starts(metadata.name) : ['-', '.'].some((separator) => starts(`${metadata.namespace}${separator}${metadata.name}`));
}
