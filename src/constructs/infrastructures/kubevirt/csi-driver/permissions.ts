import type { k8s } from 'cdk8s-plus-28';

/** What the storage classes ask of the driver. */
export interface CsiFeatures {
  /** True if volumes grow. */
  readonly expansion: boolean;

  /** True if there are snapshots. */
  readonly snapshots: boolean;
}

/**
 * What the driver does in the namespace of the machines.
 *
 * Source: kubevirt/csi-driver pkg/kubevirt/client.go, pkg/service/controller.go. The upstream manifest
 * (deploy/infra-cluster-service-account.yaml) leaves out `virtualmachineinstances/removevolume`, which the driver uses when the
 * VirtualMachine is gone, or no longer has the volume, and its instance still holds it. It lists snapshots only when it is asked for all of
 * them, and csi-snapshotter asks for one (kubernetes-csi/external-snapshotter pkg/snapshotter/snapshotter.go, v8.6.0).
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
    ...(snapshots ? [{ apiGroups: ['snapshot.storage.k8s.io'], resources: ['volumesnapshots'], verbs: ['create', 'delete', 'get'] }] : []),
  ];
}

/** The driver sees that a volume has grown by the PersistentVolume behind it, which belongs to no namespace. */
export const EXPANSION_PERMISSIONS: readonly k8s.PolicyRule[] = [{ apiGroups: [''], resources: ['persistentvolumes'], verbs: ['get'] }];
