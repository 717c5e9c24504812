import {
  KamajiControlPlaneSpecKubelet as KubeletSpec, KamajiControlPlaneSpecKubeletConfigurationJsonPatches as PatchSpec,
  KamajiControlPlaneSpecKubeletConfigurationJsonPatchesOp as OperationSpec, KamajiControlPlaneSpecKubeletPreferredAddressTypes as AddressTypeSpec,
} from '../../../../imports/controlplane.cluster.x-k8s.io';
import { VERSION_PATCHES } from '../../../manifests/systems/kamaji/control-plane-effects';
import { jsonFault } from '../../../manifests/values/content-hash';
import { KubernetesVersion } from '../../../manifests/values/kubernetes-version';
import { Problem, Rule } from '../../../manifests/values/problem';

/** A type of address that a node tells about itself. */
export enum KamajiNodeAddressType {
  /** Name of the node. */
  HOSTNAME = 'Hostname',

  /** IP address inside the nodes' network. */
  INTERNAL_IP = 'InternalIP',

  /** IP address outside of the nodes' network. */
  EXTERNAL_IP = 'ExternalIP',

  /** DNS name inside the nodes' network. */
  INTERNAL_DNS = 'InternalDNS',

  /** DNS name outside of the nodes' network. */
  EXTERNAL_DNS = 'ExternalDNS',
}

/** Operation of a JSON patch (RFC 6902). */
export enum KamajiPatchOperation {
  /** Puts a value, in place of one that may be there. */
  ADD = 'add',

  /** Takes away a value that must be there. */
  REMOVE = 'remove',

  /** Puts a value in place of one that must be there. */
  REPLACE = 'replace',

  /** Takes a value from one place to another. */
  MOVE = 'move',

  /** Copies a value from one place to another. */
  COPY = 'copy',

  /** Refuses the whole patch unless the value is there. */
  TEST = 'test',
}

/** One operation of a JSON patch on the kubelet configuration of the cluster. */
export interface KamajiKubeletPatch {
  /**
   * The operation. Prefer `add`: the patch of a field that Kamaji does not write keeps the configuration from being uploaded
   * (clastix/kamaji internal/kubeadm/uploadconfig.go).
   */
  readonly op: KamajiPatchOperation;

  /** JSON pointer into `KubeletConfiguration` (kubelet.config.k8s.io/v1beta1), e.g. `/serializeImagePulls`. */
  readonly path: string;

  /**
   * The value for `add`, `replace` and `test`.
   *
   * @default - none
   */
  readonly value?: any;

  /**
   * The place that `move` and `copy` take the value from, a JSON pointer.
   *
   * @default - none
   */
  readonly from?: string;
}

/** Access of the API server to kubelets, and the configuration that kubelets of the whole cluster read when they join. */
export interface KamajiKubelet {
  /**
   * Types of node address that the API server tries, in this order.
   *
   * Host names are left out, since the API server cannot resolve those of machines: logs and exec would hang.
   *
   * Rules: `TC-ADMIT-FIELD-VALUE`, `TC-ADMIT-FIELD-DUPLICATE`.
   *
   * Source: clastix/kamaji issue 496.
   *
   * @default - InternalIP, ExternalIP
   */
  readonly preferredAddressTypes?: KamajiNodeAddressType[];

  /**
   * Patches of the configuration that every kubelet of the cluster gets when it joins, behind the library's own: the cgroup driver
   * `systemd`, and below Kubernetes 1.35 the removal of two fields that Kamaji writes and older kubelets refuse (clastix/kamaji issues
   * 1047 and 1062), and `failCgroupV1: false`, the default of these kubelets: Kamaji writes `true`, with which they do not start on images
   * with cgroup v1. Machines that exist keep what they have. `TC-KAMAJI-KUBELET-PATCH` if one is incomplete.
   *
   * @default - none
   */
  readonly configurationPatches?: KamajiKubeletPatch[];
}

const ADDRESS_TYPES: readonly string[] = [KamajiNodeAddressType.INTERNAL_IP, KamajiNodeAddressType.EXTERNAL_IP];
const CGROUP_DRIVER: PatchSpec = { op: OperationSpec.ADD, path: '/cgroupDriver', value: 'systemd' };

/** The first minor whose kubelets know all fields that Kamaji writes. */
const FIRST_MINOR_WITH_FIELDS = 35;

const VALUE_OPERATIONS: readonly string[] = [KamajiPatchOperation.ADD, KamajiPatchOperation.REPLACE, KamajiPatchOperation.TEST];
const FROM_OPERATIONS: readonly string[] = [KamajiPatchOperation.MOVE, KamajiPatchOperation.COPY];
const POINTER = /^(\/([^~/\p{Cc}]|~[01])*)+$/u;

/** `spec.kubelet`, never left out: Kamaji's own default is there only where the whole block is absent. */
export function kubeletSpec(kubelet: KamajiKubelet, kubernetes: KubernetesVersion): KubeletSpec {
  return {
    preferredAddressTypes: (kubelet.preferredAddressTypes ?? ADDRESS_TYPES) as readonly string[] as AddressTypeSpec[],
    configurationJsonPatches: [
      CGROUP_DRIVER,
      ...(kubernetes.minor < FIRST_MINOR_WITH_FIELDS ? VERSION_PATCHES as { op: string; path: string }[] as PatchSpec[] : []),
      ...(kubelet.configurationPatches ?? []).map((patch) => patch as { op: string } as PatchSpec),
    ],
  };
}

/** Checks patches. */
export function checkKubelet(kubelet: KamajiKubelet): Problem[] {
  return (kubelet.configurationPatches ?? []).flatMap((patch, index) => checkPatch(`controlPlane.kubelet.configurationPatches[${index}]`, patch));
}

const KUBELET_PATCH_RULE: Rule = {
  id: 'TC-KAMAJI-KUBELET-PATCH',
  title: 'A patch of the kubelet configuration must be a complete JSON patch operation.',
  source: 'datatracker.ietf.org/doc/html/rfc6902',
};

function checkPatch(property: string, patch: KamajiKubeletPatch): Problem[] {
  const rule = KUBELET_PATCH_RULE;
  const problems: Problem[] = [];
  for (const [name, pointer] of [['path', patch.path], ['from', patch.from]] as const) {
    if (pointer !== undefined && !POINTER.test(pointer)) {
      problems.push({
        rule,
        property: `${property}.${name}`,
        message: `"${pointer}" is not a JSON pointer to a field`,
        accepted: 'pointers such as "/evictionHard/memory.available"',
        fix: 'start with "/", and write "~" inside a name as "~0" and "/" as "~1"',
      });
    }
  }
  if (VALUE_OPERATIONS.includes(patch.op) && patch.value === undefined) {
    problems.push({ rule, property: `${property}.value`, message: `the operation "${patch.op}" has no value`, fix: 'give the value' });
  }
  const fault = jsonFault(patch.value);
  if (fault !== undefined) {
    problems.push({ rule, property: `${property}.value`, message: fault, accepted: 'values of JSON', fix: 'write a string, a number, a boolean, a list or an object of them' });
  }
  if (FROM_OPERATIONS.includes(patch.op) && patch.from === undefined) {
    problems.push({ rule, property: `${property}.from`, message: `the operation "${patch.op}" does not say where the value comes from`, fix: 'give the pointer to it' });
  }
  return problems;
}
