import { Lookup } from './lookup';
import { ManifestObject, textAt } from '../../../images/manifest-object';
import { CLUSTER, CLUSTER_NAME_LABEL } from '../cluster-api/cluster-api-kinds';
import { nameOf } from '../manifest-fields';
import { ManifestIndex } from '../manifest-index';

const PRUNE = 'kustomize.toolkit.fluxcd.io/prune';
const SYNC_OPTIONS = 'argocd.argoproj.io/sync-options';
const RESOURCE_POLICY = 'helm.sh/resource-policy';

/** Whether an object says that it stays when it leaves the source: to Flux, which takes a label for it as well, to Argo CD, or to Helm. */
export function isKept(object: ManifestObject): boolean {
  const text = (place: string, key: string): string => textAt(object, 'metadata', place, key) ?? '';
  return [text('annotations', PRUNE), text('labels', PRUNE)].some((value) => value.toLowerCase() === 'disabled')
    || text('annotations', SYNC_OPTIONS).split(',').some((option) => option.trim() === 'Prune=false')
    || text('annotations', RESOURCE_POLICY).trim() === 'keep';
}

const CLUSTERS = new Lookup([CLUSTER], (cluster) => [nameOf(cluster)]);

/** Whether an object says by its label to which cluster it belongs, and there is no such Cluster, wherever it may be. */
export function isClusterGone(object: ManifestObject, index: ManifestIndex): boolean {
  const name = textAt(object, 'metadata', 'labels', CLUSTER_NAME_LABEL);
  return name !== undefined && CLUSTERS.find(index, name).length === 0;
}
