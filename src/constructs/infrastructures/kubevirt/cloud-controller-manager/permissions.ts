import type { k8s } from 'cdk8s-plus-28';
import { loadBalancersOf } from './cloud-config';
import { KubevirtCloudControllerManagerOptions } from './kubevirt-cloud-controller-manager';

/**
 * What the cloud controller manager does in the namespace of the machines.
 *
 * Source: kubevirt/cloud-provider-kubevirt pkg/provider/{instances_v2,instances_getter,loadbalancer}.go and
 * pkg/controller/kubevirteps/kubevirteps_controller.go. The upstream manifests grant more than the code uses, and nothing for
 * EndpointSlices. Its lookup of a machine by `spec.hostname` would list `virtualmachineinstances`; the API server answers it with an error
 * in any case, because the definition has no such selectable field.
 */
export function cloudControllerManagerPermissions(options: KubevirtCloudControllerManagerOptions): k8s.PolicyRule[] {
  const { enabled = true, enableEPSController: slices = false } = loadBalancersOf(options)._mode;
  return [
    ...((options.initializeNodes ?? true) || slices ? [{ apiGroups: ['kubevirt.io'], resources: ['virtualmachineinstances'], verbs: ['get'] }] : []),
    ...(enabled ? [{ apiGroups: [''], resources: ['services'], verbs: ['create', 'delete', 'get', ...(slices ? ['list'] : []), 'update', ...(slices ? ['watch'] : [])] }] : []),
    ...(slices ? [{ apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['create', 'delete', 'list', 'update', 'watch'] }] : []),
  ];
}

/** Zones are labels of the hosts, which belong to no namespace. */
export const ZONE_PERMISSIONS: readonly k8s.PolicyRule[] = [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }];
