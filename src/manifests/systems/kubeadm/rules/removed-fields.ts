import { configTemplateYaml } from './example-kubeadm';
import { below, KUBEADM_KINDS, kubeadmSpec } from './kubeadm-spec';
import { isV1beta1 } from '../../../rules/cluster-api/cluster-api-kinds';
import { ManifestRule } from '../../../rules/manifest-rule';
import { isSet } from '../../../values/fields';

const NETWORKING = ['clusterConfiguration', 'networking'];
const BY_CLUSTER = 'Cluster API takes it from the Cluster: write it into';

/** The fields, and what to do instead. */
const FIELDS: readonly (readonly [path: readonly string[], fix: string])[] = [
  ...['clusterConfiguration', 'initConfiguration', 'joinConfiguration'].flatMap((part) => ['apiVersion', 'kind']
    .map((field) => [[part, field], 'remove it: Cluster API writes the one that goes with the version of Kubernetes'] as const)),
  [['clusterConfiguration', 'clusterName'], 'remove it: Cluster API takes the name of the Cluster'],
  [['clusterConfiguration', 'kubernetesVersion'], 'remove it: Cluster API takes spec.version of the KubeadmControlPlane, and spec.template.spec.version of a pool'],
  [[...NETWORKING, 'podSubnet'], `${BY_CLUSTER} spec.clusterNetwork.pods.cidrBlocks of the Cluster, and remove it here`],
  [[...NETWORKING, 'serviceSubnet'], `${BY_CLUSTER} spec.clusterNetwork.services.cidrBlocks of the Cluster, and remove it here`],
  [[...NETWORKING, 'dnsDomain'], `${BY_CLUSTER} spec.clusterNetwork.serviceDomain of the Cluster, and remove it here`],
  [['useExperimentalRetryJoin'], 'remove it: there is nothing in its place'],
];

/** Fields that are gone. */
export const REMOVED_FIELDS: ManifestRule = {
  id: 'TC-TRAP-KUBEADM-REMOVED-FIELD',
  title: 'Fields of v1beta1 that v1beta2 does not have are lost when they are stored, and every apply shows them as a difference.',
  source: 'kubernetes-sigs/cluster-api tag v1.11.4, docs/book/src/developer/providers/migrations/v1.10-to-v1.11.md',
  trap: true,
  kinds: KUBEADM_KINDS,
  example: { failing: configTemplateYaml('useExperimentalRetryJoin: true', 'v1beta1'), corrected: configTemplateYaml('format: cloud-config', 'v1beta1') },
  check: (object) => {
    if (!isV1beta1(object)) return [];
    const spec = kubeadmSpec(object);
    return FIELDS.filter(([path]) => isSet(spec.value, ...path)).map(([path, fix]) => ({
      path: below(spec, ...path), message: 'Cluster API from 1.11 does not keep this field', fix,
    }));
  },
};
