import { AddonPlace } from './cluster-model';
import { deliveryPlace } from './delivery-targets';
import { appliersOf, FileAppliers } from './file-appliers';
import { ReadObject } from './placed-objects';
import { ManifestObject, namespaceOf } from '../objects/manifest-object';
import { clusterTarget } from '../objects/packed-manifests';
import { CLUSTER_NAME_LABEL } from '../rules/cluster-api/cluster-api-kinds';
import { stringAt } from '../values/fields';

/** The objects that are applied to one cluster, or run on one machine, by where that is; undefined for the management cluster. */
export type ObjectsByTarget = ReadonlyMap<string | undefined, readonly ReadObject[]>;

/** Sorts objects by the cluster that they are applied to. */
export function byTarget(objects: readonly ReadObject[]): ObjectsByTarget {
  const groups = new Map<string | undefined, ReadObject[]>();
  const appliers = new FileAppliers({ objects });
  for (const read of objects) {
    const target = read.target ?? tenantOf(appliersOf(read, appliers)[0]);
    const beside = groups.get(target);
    if (beside) beside.push(read);
    else groups.set(target, [read]);
  }
  return groups;
}

/** The tenant that a Kustomization or Application applies a folder to, named as a ClusterResourceSet selects it; undefined for none. */
export function tenantOf(delivery: ManifestObject | undefined): string | undefined {
  if (!delivery || deliveryPlace(delivery) !== AddonPlace.TENANT) return undefined;
  const cluster = stringAt(delivery, 'metadata', 'labels', CLUSTER_NAME_LABEL);
  if (cluster === undefined) return JSON.stringify(targetOf(delivery));
  return clusterTarget(namespaceOf(delivery), { matchLabels: { [CLUSTER_NAME_LABEL]: cluster } });
}

/** Key of the cluster of a delivery: another key of the same Secret is most likely another kubeconfig of it. */
function targetOf(delivery: ManifestObject): unknown {
  const [secret, config] = ['secretRef', 'configMapRef'].map((field) => stringAt(delivery, 'spec', 'kubeConfig', field, 'name'));
  const [server, name] = ['server', 'name'].map((field) => stringAt(delivery, 'spec', 'destination', field));
  return [namespaceOf(delivery), secret, config, server, name];
}
