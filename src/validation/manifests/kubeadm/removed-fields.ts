import { configTemplateYaml } from './example-kubeadm';
import { below, KUBEADM_KINDS, kubeadmSpec } from './kubeadm-spec';
import { isV1beta1 } from '../cluster-api/cluster-api-kinds';
import { isSet } from '../manifest-fields';
import { ManifestRule } from '../manifest-rule';

const FIELDS: readonly (readonly string[])[] = [
  ...['clusterConfiguration', 'initConfiguration', 'joinConfiguration'].flatMap((part) => [[part, 'apiVersion'], [part, 'kind']]),
  ['clusterConfiguration', 'clusterName'],
  ['clusterConfiguration', 'kubernetesVersion'],
  ['clusterConfiguration', 'networking'],
  ['useExperimentalRetryJoin'],
];

/** Fields that are gone. */
export const REMOVED_FIELDS: ManifestRule = {
  id: 'TC-TRAP-KUBEADM-REMOVED-FIELD',
  title: 'Fields of v1beta1 that v1beta2 does not have are lost when they are stored, and every apply shows them as a difference.',
  source: 'kubernetes-sigs/cluster-api docs/book/src/developer/providers/migrations/v1.10-to-v1.11.md',
  trap: true,
  kinds: KUBEADM_KINDS,
  example: { failing: configTemplateYaml('useExperimentalRetryJoin: true', 'v1beta1'), corrected: configTemplateYaml('format: cloud-config', 'v1beta1') },
  check: (object) => {
    if (!isV1beta1(object)) return [];
    const spec = kubeadmSpec(object);
    return FIELDS.filter((path) => isSet(spec.value, ...path)).map((path) => ({
      path: below(spec, ...path), message: 'Cluster API from 1.11 does not keep this field', fix: 'remove it; names, versions and networks follow from the Cluster and the control plane',
    }));
  },
};
