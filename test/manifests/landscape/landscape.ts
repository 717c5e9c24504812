import { readManifests } from '../../../src/cli/manifests/read-manifests';
import { Landscape } from '../../../src/manifests/landscape/cluster-model';
import { readLandscape } from '../../../src/manifests/landscape/read-landscape';
import { ManifestObject } from '../../../src/manifests/objects/manifest-object';

/** Landscape of some objects. */
export async function landscapeOf(objects: readonly ManifestObject[]): Promise<Landscape> {
  const text = objects.map((one) => `${JSON.stringify(one)}\n`).join('---\n');
  return readLandscape(await readManifests(['-'], {
    cwd: '/', env: {}, readInput: async () => Buffer.from(text || '---\n'), out: () => undefined, err: () => undefined,
  }));
}

interface Metadata {
  readonly namespace?: string;
  readonly labels?: object;
  readonly annotations?: object;
  readonly deletionTimestamp?: string;
}

/** An object. */
export function object(apiVersion: string, kind: string, name: string, spec: object, metadata: Metadata = {}): ManifestObject {
  return { apiVersion, kind, metadata: { name, namespace: 'team', ...metadata }, spec };
}

export const CORE = 'cluster.x-k8s.io/v1beta2';
export const OLD_CORE = 'cluster.x-k8s.io/v1beta1';
export const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io/v1alpha1';

/** Labels of what belongs to the cluster `acme`. */
export const OF_ACME = { labels: { 'cluster.x-k8s.io/cluster-name': 'acme' } };

/** A Cluster in the namespace `team`. */
export function cluster(name: string, spec: object = {}, metadata: Metadata = {}): ManifestObject {
  return object(CORE, 'Cluster', name, spec, metadata);
}

/** A MachineDeployment of the cluster `acme`. */
export function pool(name: string, spec: object = {}, metadata: Metadata = {}): ManifestObject {
  return object(CORE, 'MachineDeployment', name, { clusterName: 'acme', ...spec }, metadata);
}
