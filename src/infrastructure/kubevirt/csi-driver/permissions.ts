import type { k8s } from 'cdk8s-plus-28';

/** What the storage classes ask of the driver. */
export interface CsiFeatures {
  /** Whether volumes grow. */
  readonly expansion: boolean;

  /** Whether there are snapshots. */
  readonly snapshots: boolean;
}

/**
 * What the driver does in the namespace of the machines.
 *
 * Source: kubevirt/csi-driver pkg/kubevirt/client.go, pkg/service/controller.go. The upstream manifest
 * (deploy/infra-cluster-service-account.yaml) leaves out what volumes are detached by from a machine that is gone, and the list of
 * snapshots.
 */
export function csiPermissions({ expansion, snapshots }: CsiFeatures): k8s.PolicyRule[] {
  return [
    { apiGroups: ['cdi.kubevirt.io'], resources: ['datavolumes'], verbs: ['create', 'delete', 'get'] },
    { apiGroups: ['kubevirt.io'], resources: ['virtualmachineinstances'], verbs: ['get', 'list'] },
    { apiGroups: ['kubevirt.io'], resources: ['virtualmachines'], verbs: ['get'] },
    {
      apiGroups: ['subresources.kubevirt.io'],
      resources: ['virtualmachineinstances/removevolume', 'virtualmachines/addvolume', 'virtualmachines/removevolume'],
      verbs: ['update'],
    },
    { apiGroups: [''], resources: ['persistentvolumeclaims'], verbs: expansion ? ['get', 'patch'] : ['get'] },
    ...(snapshots ? [{ apiGroups: ['snapshot.storage.k8s.io'], resources: ['volumesnapshots'], verbs: ['create', 'delete', 'get', 'list'] }] : []),
  ];
}

/** The driver sees that a volume has grown by the PersistentVolume behind it, which belongs to no namespace. */
export const EXPANSION_PERMISSIONS: readonly k8s.PolicyRule[] = [{ apiGroups: [''], resources: ['persistentvolumes'], verbs: ['get'] }];
