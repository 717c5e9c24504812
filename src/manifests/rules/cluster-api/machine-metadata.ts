import {
  CLUSTER, CLUSTER_CLASS, CLUSTER_NAME_LABEL, KUBEADM_CONFIG_TEMPLATE, KUBEADM_CONTROL_PLANE, KUBEADM_CONTROL_PLANE_TEMPLATE, MACHINE_DEPLOYMENT,
  MACHINE_POOL, MACHINE_SET,
} from './cluster-api-kinds';
import { poolYaml } from './example-manifests';
import { metadataPaths } from './machine-places';
import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { fieldAt, isFields } from '../../values/fields';
import { findingsAt } from '../../values/finding';
import { checkAnnotations, checkLabels } from '../../values/labels';
import { allOf } from '../all-of';
import { ManifestRule } from '../manifest-rule';

const LABELS = (zone: string) => `labels:\n  cluster.x-k8s.io/deployment-name: acme-general\n  example.com/zone: ${zone}`;

/** Labels and annotations that machines, or what makes them, are given. */
export const MACHINE_METADATA: ManifestRule = {
  id: 'TC-ADMIT-MACHINE-METADATA',
  title: 'Labels and annotations in templates and of ClusterClass variables must be valid, and the annotations of one object at most 256 KiB.',
  source: 'kubernetes-sigs/cluster-api api/core/v1beta2/common_types.go (ObjectMeta.Validate)',
  kinds: [
    CLUSTER, CLUSTER_CLASS, KUBEADM_CONFIG_TEMPLATE, KUBEADM_CONTROL_PLANE, KUBEADM_CONTROL_PLANE_TEMPLATE, MACHINE_DEPLOYMENT, MACHINE_POOL,
    MACHINE_SET,
  ],
  example: {
    failing: poolYaml({ templateMetadata: LABELS('rack 7') }),
    corrected: poolYaml({ templateMetadata: LABELS('rack-7') }),
  },
  check: (object) => metadataPaths(object).flatMap((path) => {
    const metadata = fieldAt(object, ...path);
    if (!isFields(metadata)) return [];
    return allOf(
      findingsAt([...path, 'labels'], checkLabels(textsOf(metadata.labels)).filter(({ path: [key] }) => !isOverwritten(object, key))),
      metadata.annotations === undefined ? [] : findingsAt([...path, 'annotations'], checkAnnotations(textsOf(metadata.annotations))),
    );
  }),
};

/** The webhook writes the cluster's name into the labels of the machines of a MachineDeployment, and replaces other values. */
function isOverwritten(object: ManifestObject, key: string | number): boolean {
  return key === CLUSTER_NAME_LABEL && groupKind(object) === MACHINE_DEPLOYMENT;
}

/** Values of other types are reported by the check of structure. */
function textsOf(map: unknown): Record<string, string> {
  if (!isFields(map)) return {};
  return Object.fromEntries(Object.entries(map).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
