import { BOOTSTRAP_TEXT } from './examples';
import { together } from '../example-text';
import { REFERRING_KINDS } from './object-references';
import { groupKind } from '../../../images/manifest-object';
import { nameOf, namespaceOf } from '../manifest-fields';
import { ManifestRule } from '../manifest-rule';

/** Kinds that stand in one cluster only, the management cluster; of others each tenant may have one of the same name. */
const UNIQUE_KINDS: readonly string[] = [
  ...REFERRING_KINDS,
  'addons.cluster.x-k8s.io/ClusterResourceSet',
  'addons.cluster.x-k8s.io/HelmChartProxy',
  'bootstrap.cluster.x-k8s.io/KubeadmConfigTemplate',
  'controlplane.cluster.x-k8s.io/KamajiControlPlane',
  'controlplane.cluster.x-k8s.io/KamajiControlPlaneTemplate',
  'controlplane.cluster.x-k8s.io/KubeadmControlPlaneTemplate',
  ...['KubevirtCluster', 'KubevirtClusterTemplate', 'KubevirtMachineTemplate', 'VultrCluster', 'VultrClusterTemplate', 'VultrMachineTemplate']
    .map((kind) => `infrastructure.cluster.x-k8s.io/${kind}`),
  'kamaji.clastix.io/DataStore',
  'kamaji.clastix.io/TenantControlPlane',
];

const duplicate: ManifestRule = {
  id: 'TC-TRAP-REF-DUPLICATE',
  title: 'An object is there once: of two with one name, the one that is applied last wins.',
  source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
  kinds: UNIQUE_KINDS,
  trap: true,
  example: { failing: together(BOOTSTRAP_TEXT, BOOTSTRAP_TEXT), corrected: BOOTSTRAP_TEXT },
  check: (object, index) => {
    const name = nameOf(object);
    return name === undefined || index.find(groupKind(object), namespaceOf(object), name) === object ? [] : [{
      path: ['metadata', 'name'], message: `there is another ${String(object.kind)} "${name}" in the namespace`, fix: 'remove or rename one of the two',
    }];
  },
};

/** Names that have to be right within one kind. */
export const REFERENCE_IDENTITY: readonly ManifestRule[] = [duplicate];
